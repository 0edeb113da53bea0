/** Traces the areas of a picture with VTracer: https://github.com/visioncortex/vtracer */
import { createRequire } from 'node:module'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Size } from '../../common/rectangle.ts'
import type { Rows } from '../pixels.ts'
import { sharp } from '../sharp/load.ts'

/** How finely a picture is vectorized. */
export type Detail = 'coarse' | 'balanced' | 'fine'

/** The enums of the package exist as types only, so that their values are named here. */
const [COLOUR, STACKED, SPLINE] = [0, 0, 2] as const

// Speckles are edges of squares in pixels, precision is bits for each channel, layers are steps between colours.
const details = {
  coarse: { filterSpeckle: 8, colorPrecision: 5, layerDifference: 32 },
  balanced: { filterSpeckle: 4, colorPrecision: 6, layerDifference: 16 },
  fine: { filterSpeckle: 1, colorPrecision: 7, layerDifference: 8 },
} as const

/** Noise of this size takes 5 seconds and 230 MB, and four times as many pixels ten times as long. */
const TRACED_PIXELS = 1_000_000

/** SVG documents of more shapes are of no use: programs need minutes to open them. */
const SHAPE_LIMIT = 20_000

/** Flat graphics rarely have as many shapes, and photos hardly ever fewer. */
const FLAT_SHAPES = 1000

/** From this share of visible pixels on, they are no smooth edges but areas that people see through. */
const SHEER_SHARE = 0.02

/** The size at which a picture is vectorized: its own, or a smaller one that can be vectorized in reasonable time. */
export function tracedSize({ width, height }: Size): Size {
  const scale = Math.min(1, Math.sqrt(TRACED_PIXELS / (width * height)))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

export interface Traced {
  svg: string
  /** Whether the picture is no flat graphic, so that its tracing is a rough one. */
  busy: boolean
  /** Whether areas that were partly transparent became opaque or disappeared. */
  sheer: boolean
}

/**
 * Draws a picture as an SVG of filled shapes.
 * @param picture sRGB of 8 bits, at most as large as `tracedSize` says
 * @param shown the size in pixels that the SVG document states
 * @param colours the most colours of the result; by default as many as the detail distinguishes
 * @throws JobFailure unsupported_input if the picture has too many shapes
 */
export async function tracePicture(
  picture: Rows,
  shown: Size,
  { detail, colours }: { detail: Detail; colours: number | undefined },
): Promise<Traced> {
  const { width, height, channels } = picture
  const raw = sharp(picture.data, { raw: { width, height, channels } }).ensureAlpha()
  const { clear, sheer, data } = withoutSheer(await raw.raw().toBuffer())
  const pixels = colours ? await reduced(data, width, height, colours + (clear ? 1 : 0)) : data
  const paths = pathsOf(pixels, width, height, {
    ...details[detail],
    // Colours that were chosen are all kept apart.
    ...(colours ? { colorPrecision: 8, layerDifference: 0 } : {}),
    // Clear pixels are left out wherever they are, but only if there are any: all colours may be in use.
    keyingThreshold: clear ? 0 : 2,
  })
  const shapes = paths.match(/<path/g)?.length ?? 0
  if (shapes > SHAPE_LIMIT) throw new JobFailure('jobs.unsupported_input', message('picture.too_many_shapes'))
  const size = `width="${shown.width}" height="${shown.height}" viewBox="0 0 ${width} ${height}"`
  const stretch = shown.width * height === shown.height * width ? '' : ' preserveAspectRatio="none"'
  const drawn = colours ? inColours(paths, pixels, colours) : paths
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}${stretch}>\n${drawn}</svg>\n`
  return { svg, busy: shapes > FLAT_SHAPES, sheer }
}

/** Makes every pixel of RGBA either opaque or clear, which is all that shapes of one colour can show. */
function withoutSheer(data: Buffer): { data: Buffer; clear: boolean; sheer: boolean } {
  let [clear, sheer] = [0, 0]
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at]!
    if (alpha >= 32 && alpha < 224) sheer++
    if (alpha >= 128) data[at] = 255
    else {
      data.fill(0, at - 3, at + 1)
      clear++
    }
  }
  const visible = data.length / 4 - clear
  return { data, clear: clear > 0, sheer: sheer > Math.max(visible, 1) * SHEER_SHARE }
}

/** RGBA with at most so many colours, of which clear is one. */
async function reduced(data: Buffer, width: number, height: number, colours: number): Promise<Buffer> {
  const palette = { palette: true, colours, dither: 0, compressionLevel: 1 }
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .png(palette)
    .toBuffer()
  return sharp(png).ensureAlpha().raw().toBuffer()
}

/**
 * Gives every shape the nearest of the most used colours: tracing mixes those of the pixels that a shape took up, and
 * palettes of PNG have a power of two.
 */
function inColours(paths: string, pixels: Buffer, colours: number): string {
  const uses = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = pixels.readUIntBE(at, 3)
    if (pixels[at + 3]) uses.set(colour, (uses.get(colour) ?? 0) + 1)
  }
  const most = [...uses].toSorted((a, b) => b[1] - a[1]).slice(0, colours)
  const palette = most.map(([colour]) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const)
  const nearest = (hex: string) => {
    const wanted = Buffer.from(hex, 'hex')
    const distance = (colour: readonly number[]) =>
      colour.reduce((sum, value, at) => sum + (value - wanted[at]!) ** 2, 0)
    const best = palette.reduce((a, b) => (distance(b) < distance(a) ? b : a))
    return Buffer.from(best).toString('hex')
  }
  const known = new Map<string, string>()
  return paths.replaceAll(/fill="#([0-9A-F]{6})"/gi, (_, hex: string) => {
    const colour = known.get(hex) ?? nearest(hex)
    known.set(hex, colour)
    return `fill="#${colour}"`
  })
}

interface Tracing {
  filterSpeckle: number
  colorPrecision: number
  layerDifference: number
  keyingThreshold: number
}

/** The lines of an SVG with a path for each area, from the lowest to the highest. */
function pathsOf(data: Buffer, width: number, height: number, tracing: Tracing): string {
  const vectorizer = createRequire(import.meta.url)(
    '@neplex/vectorizer',
  ) as typeof import('@neplex/vectorizer')
  const svg = vectorizer.vectorizeRawSync(
    data,
    { width, height },
    {
      ...tracing,
      colorMode: COLOUR,
      hierarchical: STACKED,
      mode: SPLINE,
      cornerThreshold: 60,
      lengthThreshold: 4,
      maxIterations: 10,
      spliceThreshold: 45,
      pathPrecision: 2,
    },
  )
  const start = svg.indexOf('<path')
  return start < 0 ? '' : svg.slice(start, svg.lastIndexOf('</svg>'))
}
