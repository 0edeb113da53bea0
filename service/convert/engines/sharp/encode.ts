import { rename, rm, stat } from 'node:fs/promises'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { tilingOf, writeTiles } from '../avif/tiles.ts'
import { sharpFailure } from './failure.ts'
import type { Sharp } from './load.ts'
import type { Picture } from './picture.ts'

/** Formats sharp writes. */
export type Encoder = 'avif' | 'gif' | 'jpg' | 'png' | 'tiff' | 'webp'

export interface EncodeSettings {
  /** 1–100, for jpg, webp and avif; the best if absent. */
  quality?: number | undefined
  /** Reduces the colours of PNG to 256. */
  palette?: boolean
  /** Trades time (and in `lossy`, some quality) for size; the result is never larger than without. */
  smart: 'lossy' | 'lossless' | null
  /** Keeps EXIF, XMP, IPTC and the colour profile; otherwise colours are sRGB and there is no metadata. */
  keepMetadata: boolean
  /** Colour below transparent parts, if the format has no transparency: `#rrggbb`; black if absent. */
  background?: string | undefined
  /** Size to scale to, with the right proportions. */
  size?: { width: number; height: number } | undefined
  /** Frames of an animation. */
  animation?: { delays: number[]; loop: number } | undefined
}

/** Longest edge in pixels that each format can hold. */
const EDGE_LIMITS: Record<Encoder, number> = {
  avif: 16_384,
  gif: 65_535,
  jpg: 65_535,
  png: 2 ** 31 - 1,
  tiff: 2 ** 31 - 1,
  webp: 16_383,
}

/** Fails if a format cannot hold a picture of this size. */
export function checkEdges(target: Encoder, width: number, height: number): void {
  const limit = EDGE_LIMITS[target]
  if (Math.max(width, height) <= limit) return
  throw new JobFailure(
    'jobs.too_large',
    message('picture.edge_too_long', {
      format: target.toUpperCase(),
      limit,
      edge: Math.max(width, height),
    }),
  )
}

type Step = (pipeline: Sharp) => Sharp

/** The properties of a picture that determine how it is encoded. */
interface PictureKind {
  /** Its chroma already has half the resolution, and is not stored at more. */
  halfChroma?: boolean
  pixels?: number
  /** A graphic, not a photo. */
  fewColours?: boolean
}

/**
 * Pictures with at least this many pixels get standard Huffman tables in JPEG: optimised tables make a photo 1 to 4
 * percent smaller and take three times as long. Small pictures gain more from them and are fast anyway.
 */
const STANDARD_TABLES_PIXELS = 4_000_000

/**
 * Lossless WebP needs 18 bytes for each pixel and, at any effort except the lowest, two for each bit of its result: a
 * 24-megapixel photo takes up to 1 GB. Above this number of pixels the lowest effort is tried first, and its result is
 * kept if it has at least this many bits per pixel: photos become 5 to 25 percent larger in a quarter of the time.
 * Drawings, which would become several times as large, have fewer bits.
 */
const LARGE_LOSSLESS_WEBP = { above: 16_000_000, bits: 3.5 }

/**
 * Ways to encode; the smallest result wins. The first one is the plain encoding, so a smart result is never larger. The
 * settings were chosen by measurement: PNG level 3 with adaptive filters takes as long as the default and is a third
 * smaller; GIF effort 4 takes a third of the time of the default 7, for 4 percent more bytes; AVIF effort 3 takes a
 * fifth of the time of effort 4 and, tuned for structural similarity, matches avifenc at speed 6 in less time. The
 * default tuning spends a fifth more of both, mostly on flat areas.
 */
export function encodings(
  target: Encoder,
  settings: EncodeSettings,
  { halfChroma = false, pixels = 0, fewColours = false }: PictureKind = {},
): Step[] {
  const { quality = 100, smart, animation } = settings
  const timing = animation ? { delay: animation.delays, loop: animation.loop } : {}
  const capped = (limit: number) => Math.min(quality, limit)
  switch (target) {
    case 'jpg': {
      const plain = { quality, chromaSubsampling: quality >= 90 && !halfChroma ? '4:4:4' : '4:2:0' }
      const optimiseCoding = pixels < STANDARD_TABLES_PIXELS
      const steps: Step[] = [pipeline => pipeline.jpeg({ ...plain, optimiseCoding })]
      // Loses nothing more: the same coefficients, but progressive and packed tighter.
      if (smart) steps.push(pipeline => pipeline.jpeg({ ...plain, progressive: true, optimiseScans: true }))
      if (smart === 'lossy') steps.push(pipeline => pipeline.jpeg({ quality: capped(80), mozjpeg: true }))
      return steps
    }
    case 'png': {
      if (settings.palette) return [pipeline => pipeline.png({ palette: true, effort: 4 })]
      const steps: Step[] = [pipeline => pipeline.png({ compressionLevel: 3, adaptiveFiltering: true })]
      if (!smart) return steps
      if (smart === 'lossy')
        return [...steps, pipeline => pipeline.png({ palette: true, quality: 80, effort: 7 })]
      // Filters help photos but harm drawings.
      for (const adaptiveFiltering of [true, false]) {
        steps.push(pipeline => pipeline.png({ compressionLevel: 9, adaptiveFiltering }))
      }
      return steps
    }
    case 'webp': {
      if (smart === 'lossless') {
        const lossless = { lossless: true, exact: true, ...timing }
        const best: Step = pipeline => pipeline.webp({ ...lossless, effort: 4 })
        if (pixels <= LARGE_LOSSLESS_WEBP.above) return [best]
        return [pipeline => pipeline.webp({ ...lossless, effort: 0, quality: 40 }), best]
      }
      const steps: Step[] = [pipeline => pipeline.webp({ quality, effort: 2, ...timing })]
      // Graphics are mostly smaller without loss; it comes first, so that it also wins if it is no larger.
      if (fewColours) steps.unshift(pipeline => pipeline.webp({ lossless: true, effort: 2, ...timing }))
      if (smart) steps.push(pipeline => pipeline.webp({ quality: capped(75), effort: 4, ...timing }))
      return steps
    }
    case 'avif': {
      if (smart === 'lossless') return [pipeline => pipeline.avif({ lossless: true, effort: 2 })]
      const plain = { effort: 3, tune: 'ssim', chromaSubsampling: '4:2:0' } as const
      const steps: Step[] = [pipeline => pipeline.avif({ ...plain, quality })]
      if (smart) steps.push(pipeline => pipeline.avif({ ...plain, quality: capped(50) }))
      return steps
    }
    case 'gif': {
      const steps: Step[] = [pipeline => pipeline.gif({ effort: 4, ...timing })]
      if (smart) steps.push(pipeline => pipeline.gif({ effort: 10, ...timing }))
      if (smart === 'lossy')
        steps.push(pipeline =>
          pipeline.gif({
            effort: 10,
            interFrameMaxError: 8,
            interPaletteMaxError: 16,
            dither: 0.5,
            ...timing,
          }),
        )
      return steps
    }
    case 'tiff': {
      const steps: Step[] = [pipeline => pipeline.tiff({ compression: 'deflate', predictor: 'horizontal' })]
      if (smart) steps.push(pipeline => pipeline.tiff({ compression: 'lzw', predictor: 'horizontal' }))
      return steps
    }
  }
}

/** Formats that keep 16 bits per sample, and those that keep a single grey channel. */
const DEEP = new Set<Encoder>(['png', 'tiff'])
const GREY = new Set<Encoder>(['jpg', 'png', 'tiff'])

const isGrey = (colour = '#000000') => new Set(colour.slice(1).match(/../g)).size === 1

/** Applies size, colour and metadata: everything before encoding, whatever the format. */
export function prepare(picture: Picture, target: Encoder, settings: EncodeSettings, lenient = false): Sharp {
  let pipeline = picture.open(lenient)
  const { size } = settings
  if (size) pipeline = pipeline.resize({ ...size, fit: 'fill' })
  // On a grey picture sharp would convert a colour to grey.
  const tinted = picture.model === 'grey' && picture.alpha && !isGrey(settings.background)
  if (target === 'jpg') {
    if (tinted) pipeline = pipeline.pipelineColourspace('srgb')
    pipeline = pipeline.flatten(settings.background ? { background: settings.background } : true)
  }

  const profiled = picture.metadata.icc !== undefined
  const grey = picture.model === 'grey' && GREY.has(target) && !(tinted && target === 'jpg')
  // A profile describes the original samples, so a CMYK or Lab profile is no longer valid once the picture is RGB.
  const keepProfile =
    profiled &&
    picture.ownProfile &&
    settings.keepMetadata &&
    (picture.model === 'rgb' || grey) &&
    target !== 'gif'
  // Encoders reduce 16 bits themselves. If sharp did it, it would lose the profile of a rotated picture.
  const deep = picture.deep && (DEEP.has(target) || keepProfile)
  pipeline = pipeline.toColourspace(grey ? (deep ? 'grey16' : 'b-w') : deep ? 'rgb16' : 'srgb')

  if (settings.keepMetadata) {
    pipeline = pipeline.keepMetadata()
    if (profiled && !keepProfile) pipeline = pipeline.withIccProfile('srgb', { attach: target !== 'gif' })
  } else if (profiled && picture.deep) {
    // sharp works in Display P3 for deep pictures, and would write those values without the profile.
    pipeline = pipeline.withIccProfile('srgb', { attach: false })
  }
  return pipeline
}

/**
 * Encodes a picture into `path`, in several ways if that may make it smaller. A damaged picture is read as far as
 * possible, and `onDamage` is called.
 * @throws JobFailure too_large, corrupt_input, unsupported_input, disk_full
 */
export async function encodePicture(
  picture: Picture,
  target: Encoder,
  settings: EncodeSettings,
  path: string,
  onDamage: () => void,
): Promise<void> {
  const { width, height } = settings.size ?? picture
  checkEdges(target, width, height)
  let lenient = false
  const save = async (encoding: Step, to: string) => {
    try {
      await encoding(prepare(picture, target, settings, lenient)).toFile(to)
    } catch (error) {
      if (lenient || sharpFailure(error).code !== 'jobs.corrupt_input') throw sharpFailure(error)
      await picture.requirePixels()
      lenient = true
      await encoding(prepare(picture, target, settings, lenient))
        .toFile(to)
        .catch(again => {
          throw sharpFailure(again)
        })
      onDamage()
    }
  }
  // Scaling down brings the picture closer to its chroma resolution.
  const halfChroma = picture.halfChroma && !settings.size
  const pixels = width * height
  const fewColours =
    target === 'webp' && settings.smart !== 'lossless' && (await hasFewColours(picture, pixels))
  const ways = encodings(target, settings, { halfChroma, pixels, fewColours })
  const lossless = settings.smart === 'lossless'
  const tiling = target === 'avif' && tilingOf({ width, height }, picture.alpha, lossless)
  if (!tiling) {
    const lean = target === 'webp' && lossless ? LARGE_LOSSLESS_WEBP.bits : Number.POSITIVE_INFINITY
    return smallest(ways, save, path, (pixels * lean) / 8)
  }

  const decoded = `${path}.v`
  try {
    await save(pipeline => pipeline, decoded)
    const ofTile = (encoding: Step) => (tile: Sharp) =>
      encoding(settings.keepMetadata ? tile.keepMetadata() : tile)
    const write = (encoding: Step, to: string) =>
      writeTiles(decoded, { width, height }, tiling, ofTile(encoding), to)
    await smallest(ways, write, path).catch(error => {
      throw sharpFailure(error)
    })
  } finally {
    await rm(decoded, { force: true })
  }
}

/** How many pixels of a picture are looked at along each edge, and how many colours a graphic has among them. */
const COLOUR_PROBE = { edge: 64, colours: 256, bytes: 4 }

/** Whether a picture is a graphic rather than a photo. Those in JPEG have the noise of their coding. */
async function hasFewColours(picture: Picture, pixels: number): Promise<boolean> {
  if (picture.metadata.format === 'jpeg' || pixels > LARGE_LOSSLESS_WEBP.above) return false
  const { edge, colours, bytes } = COLOUR_PROBE
  const probe = picture
    .open(true)
    .resize(edge, edge, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
  const data = await probe
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer()
    .catch(() => undefined)
  if (!data) return false
  const found = new Set<number>()
  for (let at = 0; at < data.length; at += bytes) found.add(data.readUInt32LE(at))
  return found.size <= colours
}

/** Runs the encodings and keeps the smallest file, in `path`. Stops after one with at least `enough` bytes. */
export async function smallest<T>(
  encodings: readonly T[],
  write: (encoding: T, path: string) => Promise<void>,
  path: string,
  enough = Number.POSITIVE_INFINITY,
): Promise<void> {
  let best = Number.POSITIVE_INFINITY
  for (const encoding of encodings) {
    const candidate = `${path}.part`
    await write(encoding, candidate)
    const { size } = await stat(candidate)
    if (size < best) {
      best = size
      await rename(candidate, path)
    } else {
      await rm(candidate)
    }
    if (size >= enough) break
  }
}

/**
 * A picture's pixels in sRGB, 8 bit, upright and scaled.
 * @param onDamage called if only a part of a damaged picture could be read
 */
export async function renderPicture(
  picture: Picture,
  size: { width: number; height: number } | undefined,
  onDamage: () => void,
): Promise<{ data: Buffer; width: number; height: number; channels: 3 | 4 }> {
  const settings: EncodeSettings = {
    smart: null,
    keepMetadata: false,
    size,
  }
  const render = async (lenient: boolean) => {
    const pipeline = prepare(picture, 'webp', settings, lenient)
    const { data, info } = await pipeline.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: info.channels as 3 | 4 }
  }
  try {
    return await render(false)
  } catch (error) {
    if (sharpFailure(error).code !== 'jobs.corrupt_input') throw sharpFailure(error)
  }
  await picture.requirePixels()
  const rendered = await render(true).catch(error => {
    throw sharpFailure(error)
  })
  onDamage()
  return rendered
}
