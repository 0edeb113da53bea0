/** Measures the skew of a scanned page by how sharply its lines of text stand out. */
import type { Pixels } from '../../pictures/pixels.ts'
import { sharp } from '../../pictures/sharp/load.ts'

/** Longest edge of the picture that is analysed. */
const PREVIEW_PIXELS = 900
/** Degrees: the largest skew, the step sizes of the search, and the smallest skew worth correcting. */
const [MOST, COARSE, FINE, LEAST] = [8, 1, 0.1, 0.25]
/** Grey that is ink on a page with hardly anything on it. */
const INK = 128
/** Share of a page's pixels that may be darker or lighter than its ink and its paper, and the least range of grey between them. */
const [OUTLIERS, LEAST_RANGE] = [0.01, 3]

/**
 * By how many degrees a grey picture must be rotated clockwise to be upright; 0 if it is, or if that cannot be
 * determined.
 */
export async function skewOf({ data, width, height }: Pixels): Promise<number> {
  const { data: small, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize(PREVIEW_PIXELS, PREVIEW_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const ink = inkOf(small)
  const points: number[] = []
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++)
      if (small[(y * info.width + x) * info.channels]! < ink) points.push(x, y)
  }
  // A blank page, or one that is mostly dark, has no lines.
  const share = points.length / 2 / (info.width * info.height)
  if (share < 0.001 || share > 0.5) return 0
  const score = (degrees: number) => sharpness(points, degrees, info.width, info.height)
  const search = (from: number, to: number, step: number) => {
    let best = 0
    let most = score(0)
    for (let angle = from; angle <= to + step / 2; angle += step) {
      const found = score(angle)
      if (found > most * 1.001) [best, most] = [angle, found]
    }
    return best
  }
  const coarse = search(-MOST, MOST, COARSE)
  const angle = search(coarse - COARSE, coarse + COARSE, FINE)
  // A result at the end of the range is not just a small skew.
  return Math.abs(angle) < LEAST || Math.abs(angle) > MOST ? 0 : Math.round(angle * 10) / 10
}

/** Grey below which a pixel is ink: the middle between a page's ink and its paper, however pale the ink or dark the paper. */
function inkOf(grey: Uint8Array): number {
  const sorted = grey.toSorted()
  const [dark, light] = [OUTLIERS, 1 - OUTLIERS].map(
    share => sorted[Math.floor(share * (sorted.length - 1))]!,
  )
  return light! - dark! < LEAST_RANGE ? INK : (dark! + light!) / 2
}

/** Sum of the squares of the ink in each row, after rotating the picture clockwise. */
function sharpness(points: readonly number[], degrees: number, width: number, height: number): number {
  const [sine, cosine] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const margin = Math.ceil(width)
  const rows = new Float64Array(height + 2 * margin)
  for (let i = 0; i < points.length; i += 2) {
    const row = Math.round(points[i]! * sine + points[i + 1]! * cosine) + margin
    if (row >= 0 && row < rows.length) rows[row]!++
  }
  let sum = 0
  for (const ink of rows) sum += ink * ink
  return sum
}
