/** What encoders can hold, and with which settings they are run. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { megapixels } from '../../common/limits.ts'
import type { Size } from '../../common/rectangle.ts'
import type { Pixels } from '../pixels.ts'
import type { Sharp } from './load.ts'

/** Formats sharp writes. */
export type Encoder = 'avif' | 'gif' | 'jpg' | 'png' | 'tiff' | 'webp'

export interface EncodeSettings {
  /** 1–100, for jpg, webp and avif; the best if absent. */
  quality?: number | undefined
  /** Reduces the colours of PNG to 256. */
  palette?: boolean
  /** Trades time (and in `lossy`, some quality) for size; the result is never larger than without. */
  smart: 'lossy' | 'lossless' | null
  /** Keeps the colour profile where the format can have one, and comments; otherwise colours are sRGB. */
  keepsProfile: boolean
  /** How a TIFF is packed: `fax` makes it black and white. */
  compression?: 'deflate' | 'lzw' | 'packbits' | 'jpeg' | 'fax' | 'none' | undefined
  /** Bits of each sample, where the format holds 16. */
  bitDepth?: 'source' | '8' | '16' | undefined
  /** Whether the result is linear light in floats, whatever else is said of its colours. */
  light?: boolean | undefined
  /** Those of HDR, in which the samples are and stay; AVIF names them. */
  codePoints?: Pixels['hdr'] | undefined
  /** The colour space of the result. */
  colour?: 'srgb' | 'keep' | 'p3' | undefined
  /** Colour below transparent parts, if the format has no transparency: `#rrggbb`; black if absent. */
  background?: string | undefined
  /** Size to scale to, with the right proportions. */
  size?: Size | undefined
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

export const isEncoder = (target: string): target is Encoder => Object.hasOwn(EDGE_LIMITS, target)

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

/** Bytes that the encoder of AVIF needs for each pixel, the factor for transparency, and how many it may take. */
const AVIF_BYTES = { lossless: 42, lossy: 20, alpha: 1.6, most: 3e9 }

/** @throws JobFailure too_large */
export function checkAvifMemory(pixels: number, alpha: boolean, lossless: boolean): void {
  const each = AVIF_BYTES[lossless ? 'lossless' : 'lossy'] * (alpha ? AVIF_BYTES.alpha : 1)
  if (pixels * each <= AVIF_BYTES.most) return
  throw new JobFailure(
    'jobs.too_large',
    message('picture.result_too_large', { megapixels: megapixels(AVIF_BYTES.most / each) }),
  )
}

const blackAndWhite: Step = pipeline =>
  pipeline.flatten({ background: '#fff' }).threshold().toColourspace('b-w')

/** From this quality on, JPEG has full chroma where the picture has. */
export const FULL_CHROMA = 90

/** Quality of JPEG within TIFF. */
const TIFF_QUALITY = 90

export type Step = (pipeline: Sharp) => Sharp

/** The properties of a picture that determine how it is encoded. */
interface PictureTraits {
  /** Its chroma already has half the resolution, and is not stored at more. */
  chromaSubsampling420?: boolean
  pixels?: number
  /** A graphic, not a photo. */
  fewColours?: boolean
  /** Its samples have more than 8 bits. */
  highBitDepth?: boolean
  /** Its alpha channel hides nothing, so that a file may do without. */
  opaque?: boolean
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
 * Flat graphics, which would become several times as large, have fewer bits.
 */
export const LARGE_LOSSLESS_WEBP = { above: 16_000_000, bits: 3.5 }

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
  {
    chromaSubsampling420 = false,
    pixels = 0,
    fewColours = false,
    highBitDepth = false,
    opaque = false,
  }: PictureTraits = {},
): Step[] {
  const { quality = 100, smart, animation } = settings
  const timing = animation ? { delay: animation.delays, loop: animation.loop } : {}
  const capped = (limit: number) => Math.min(quality, limit)
  switch (target) {
    case 'jpg': {
      const plain = {
        quality,
        chromaSubsampling: quality >= FULL_CHROMA && !chromaSubsampling420 ? '4:4:4' : '4:2:0',
      }
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
      // Filters help photos but harm flat graphics.
      for (const adaptiveFiltering of [true, false]) {
        const packed = { compressionLevel: 9, adaptiveFiltering }
        steps.push(pipeline => (opaque ? pipeline.removeAlpha() : pipeline).png(packed))
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
      const steps: Step[] = [pipeline => pipeline.webp({ quality, effort: 4, ...timing })]
      // Graphics are mostly smaller without loss; it comes first, so that it also wins if it is no larger.
      if (fewColours) steps.unshift(pipeline => pipeline.webp({ lossless: true, effort: 2, ...timing }))
      if (smart) steps.push(pipeline => pipeline.webp({ quality: capped(75), effort: 4, ...timing }))
      return steps
    }
    case 'avif': {
      const bitdepth = highBitDepth ? 10 : 8
      if (smart === 'lossless') return [pipeline => pipeline.avif({ lossless: true, effort: 2, bitdepth })]
      const plain = { effort: 3, tune: 'ssim', chromaSubsampling: '4:2:0', bitdepth } as const
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
      const { compression = 'deflate' } = settings
      if (compression === 'fax')
        return [pipeline => blackAndWhite(pipeline).tiff({ compression: 'ccittfax4', bitdepth: 1 })]
      if (compression === 'jpeg') return [pipeline => pipeline.tiff({ compression, quality: TIFF_QUALITY })]
      const steps: Step[] = [pipeline => pipeline.tiff({ compression, predictor: 'horizontal' })]
      if (smart) steps.push(pipeline => pipeline.tiff({ compression: 'lzw', predictor: 'horizontal' }))
      return steps
    }
  }
}
