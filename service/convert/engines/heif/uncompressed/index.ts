/** Decodes uncompressed pictures (`unci`, ISO/IEC 23001-17) of unsigned samples with up to 16 bits. */
import type { Pixels } from '../../pixels.ts'
import { unknownCoding } from '../failure.ts'
import type { Items } from '../items.ts'
import type { HeifPicture } from '../picture.ts'
import { colourReader } from './colour.ts'
import { layoutOf, type Plane, planesOf } from './planes.ts'
import { setupOf } from './setup.ts'
import { unpacked } from './unpack.ts'

export const UNCOMPRESSED = 'unci'

/** Matrix coefficients if none are stated. */
const UNSPECIFIED = 2

/** Matrix coefficients of samples that are green, blue and red themselves. */
const IDENTITY = 0

/**
 * Decodes the picture, cropped, before rotation: grey if its profile is, otherwise RGB, with alpha if it has any; 8 bits
 * per sample, or 16 if more than 8 are stored.
 * @throws JobFailure corrupt_input; unsupported_input for layouts and matrices that are not read
 */
export function decodeUncompressed(items: Items, picture: HeifPicture): Pixels {
  const { primary } = items
  if (!picture.plain || picture.hasAlpha || picture.tiles[0] !== primary) throw unknownCoding()
  const layout = layoutOf(setupOf(primary), picture.size)
  const planes = planesOf(unpacked(primary, items.data(primary), layout.bytes), layout)
  const { chroma } = layout.setup
  const matrix = picture.codePoints?.matrix ?? UNSPECIFIED
  const [y, cb, cr, alpha] = [planes.get('y'), planes.get('cb'), planes.get('cr'), planes.get('alpha')]
  const grey = planes.get('grey') ?? (cb || cr ? undefined : y)
  const isGrey = grey !== undefined && isGreyProfile(picture.icc)
  const channels = ((isGrey ? 1 : 3) + (alpha ? 1 : 0)) as Pixels['channels']

  const { left, top, width, height } = picture.crop ?? { left: 0, top: 0, ...picture.size }
  const full = [...planes.values()].some(({ bits }) => bits > 8) ? 65_535 : 255
  const count = width * height * channels
  const data = full > 255 ? new Uint16Array(count) : new Uint8Array(count)
  const put = (plane: Plane | undefined, channel: number) => {
    if (!plane) throw unknownCoding()
    const most = 2 ** plane.bits - 1
    const values = Uint16Array.from({ length: most + 1 }, (_, value) => Math.round((value * full) / most))
    let at = channel
    for (let row = top; row < top + height; row++) {
      const start = row * plane.width + left
      for (let from = start; from < start + width; from++, at += channels)
        data[at] = values[plane.data[from]!]!
    }
  }

  if (grey) for (let channel = 0; channel < (isGrey ? 1 : 3); channel++) put(grey, channel)
  else if (!y)
    for (const [channel, kind] of (['r', 'g', 'b'] as const).entries()) put(planes.get(kind), channel)
  else if (matrix === IDENTITY && chroma.width === 1)
    for (const [channel, plane] of [cr, y, cb].entries()) put(plane, channel)
  else {
    if (!cb || !cr) throw unknownCoding()
    const fullRange = picture.codePoints?.fullRange ?? true
    const colourAt = colourReader({ y, cb, cr, chroma }, { matrix, fullRange })
    let at = 0
    for (let row = top; row < top + height; row++) {
      for (let column = left; column < left + width; column++, at += channels) {
        const { r, g, b } = colourAt(column, row)
        data[at] = Math.round(r * full)
        data[at + 1] = Math.round(g * full)
        data[at + 2] = Math.round(b * full)
      }
    }
  }
  if (alpha) put(alpha, channels - 1)
  return { data, width, height, channels, halfChroma: chroma.height > 1 }
}

/** Whether a profile is for grey pictures, according to the colour space in its header. */
const isGreyProfile = (icc: Uint8Array | undefined): boolean =>
  icc !== undefined && Buffer.from(icc.subarray(16, 20)).toString('latin1') === 'GRAY'
