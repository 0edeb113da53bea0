import { rename, rm, stat } from 'node:fs/promises'
import type { Size } from '../../common/rectangle.ts'
import { nameHdr } from '../avif/hdr.ts'
import type { Rows } from '../pixels.ts'
import {
  checkAvifMemory,
  checkEdges,
  type Encoder,
  type EncodeSettings,
  encodings,
  FULL_CHROMA,
  LARGE_LOSSLESS_WEBP,
  type Step,
} from './encodings.ts'
import type { Sharp } from './load.ts'
import { asFarAsReadable, type Picture } from './picture.ts'

/** Formats that keep more than 8 bits per sample, and those that keep a single grey channel. */
const HIGH_BIT_DEPTH = new Set<Encoder>(['avif', 'png', 'tiff'])
export const GREY: ReadonlySet<string> = new Set<Encoder>(['jpg', 'png', 'tiff'])

const isGrey = (colour = '#000000') => new Set(colour.slice(1).match(/../g)).size === 1

/** Applies size and colour: everything before encoding, whatever the format. */
export function prepare(picture: Picture, target: Encoder, settings: EncodeSettings, lenient = false): Sharp {
  let pipeline = picture.open(lenient)
  const { size } = settings
  if (size) pipeline = pipeline.resize({ ...size, fit: 'fill' })
  if (settings.light) return pipeline.pipelineColourspace('scrgb').toColourspace('scrgb')
  // On a grey picture sharp would convert a colour to grey.
  const tinted = picture.model === 'grey' && picture.alpha && !isGrey(settings.background)
  if (target === 'jpg' || settings.background) {
    if (tinted) pipeline = pipeline.pipelineColourspace('srgb')
    pipeline = pipeline.flatten(settings.background ? { background: settings.background } : true)
  }

  const profiled = picture.metadata.icc !== undefined
  const grey =
    picture.model === 'grey' && GREY.has(target) && !(tinted && (target === 'jpg' || settings.background))
  const { colour = 'srgb', bitDepth = 'source', compression } = settings
  const isReduced = bitDepth === '8' || compression === 'jpeg' || compression === 'fax'
  // A profile describes the original samples, so a CMYK or Lab profile is no longer valid once the picture is RGB.
  const keepProfile =
    profiled &&
    (colour === 'keep' || (colour === 'srgb' && picture.ownProfile && settings.keepsProfile)) &&
    !(isReduced && picture.highBitDepth) &&
    (picture.model === 'rgb' || grey) &&
    target !== 'gif'
  // Encoders reduce 16 bits themselves. If sharp did it, it would lose the profile of a rotated picture.
  const highBitDepth =
    (picture.highBitDepth && !isReduced && (HIGH_BIT_DEPTH.has(target) || keepProfile)) || bitDepth === '16'
  pipeline = pipeline.toColourspace(
    grey ? (highBitDepth ? 'grey16' : 'b-w') : highBitDepth ? 'rgb16' : 'srgb',
  )

  if (settings.keepsProfile) pipeline = pipeline.keepMetadata()
  if (colour === 'p3' && !grey && target !== 'gif') return pipeline.withIccProfile('p3')
  if (settings.keepsProfile) {
    if (profiled && !keepProfile) pipeline = pipeline.withIccProfile('srgb', { attach: target !== 'gif' })
  } else if (keepProfile) {
    pipeline = pipeline.keepIccProfile()
  } else if (profiled && picture.highBitDepth) {
    // sharp works in Display P3 for pictures of high bit depth, and would write those values without the profile.
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
  let isDamaged = false
  const save = async (encoding: Step, to: string) => {
    const write = (lenient: boolean) =>
      encoding(prepare(picture, target, settings, lenient || isDamaged)).toFile(to)
    await asFarAsReadable(picture, write, () => {
      isDamaged = true
      onDamage()
    })
    if (settings.codePoints) await nameHdr(to, settings.codePoints)
  }
  // Scaling down brings the picture closer to its chroma resolution.
  const pixels = width * height
  const halved = picture.chromaSubsampling420 && !settings.size
  // Colours of half the resolution are seen in flat graphics, not in photos; a file with chroma keeps what it has.
  const mayHalve = target === 'jpg' && picture.chromaSubsampling420 === undefined && isHigh(settings)
  const fewColours =
    (mayHalve || (target === 'webp' && settings.smart !== 'lossless')) &&
    (await hasFewColours(picture, pixels))
  const chromaSubsampling420 = halved === true || (mayHalve && !fewColours)
  const opaque = target === 'png' && settings.smart === 'lossless' && (await isOpaque(picture))
  const { highBitDepth } = picture
  const ways = encodings(target, settings, { chromaSubsampling420, pixels, fewColours, highBitDepth, opaque })
  const lossless = settings.smart === 'lossless'
  if (target === 'avif') checkAvifMemory(pixels, picture.alpha, lossless)
  const lean = target === 'webp' && lossless ? LARGE_LOSSLESS_WEBP.bits : Number.POSITIVE_INFINITY
  return smallest(ways, save, path, (pixels * lean) / 8)
}

/** Whether JPEG would have full chroma, and not because every trace of its coding counts. */
const isHigh = ({ quality = 100 }: EncodeSettings) => quality >= FULL_CHROMA && quality <= NEARLY_ALL

/** Qualities of JPEG above which photos keep their full chroma, too. */
const NEARLY_ALL = 95

/**
 * How many pixels of a picture are looked at along each edge, and how many colours a graphic has among them. The rows of its first
 * part come first: a photo has more in them, so that it need not be decoded twice.
 */
const COLOUR_PROBE = { edge: 64, colours: 256, bytes: 4, parts: 4 }

/** Whether a picture is a graphic rather than a photo. Those in JPEG have the noise of their coding. */
async function hasFewColours(picture: Picture, pixels: number): Promise<boolean> {
  if (picture.metadata.format === 'jpeg' || pixels > LARGE_LOSSLESS_WEBP.above) return false
  const { edge, colours, parts } = COLOUR_PROBE
  const { width } = picture
  const height = Math.floor(picture.height / parts)
  const first =
    height > 0 &&
    (await coloursIn(picture.open(true).extract({ left: 0, top: 0, width, height }), edge / parts))
  if (first && first > colours) return false
  const all = await coloursIn(picture.open(true), edge)
  return all !== undefined && all <= colours
}

/** The number of colours among as many pixels of a picture; undefined if it cannot be read. */
async function coloursIn(picture: Sharp, rows: number): Promise<number | undefined> {
  const data = await picture
    .resize(COLOUR_PROBE.edge, rows, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer()
    .catch(() => undefined)
  if (!data) return undefined
  const found = new Set<number>()
  for (let at = 0; at < data.length; at += COLOUR_PROBE.bytes) found.add(data.readUInt32LE(at))
  return found.size
}

/** Whether a picture has an alpha channel that hides nothing. */
async function isOpaque(picture: Picture): Promise<boolean> {
  const stats =
    picture.alpha &&
    (await picture
      .open(true)
      .stats()
      .catch(() => undefined))
  return stats ? stats.isOpaque : false
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
 * @param highBitDepth yields 16 bits of a picture that has them, in its own colours
 */
export async function renderPicture(
  picture: Picture,
  size: Size | undefined,
  onDamage: () => void,
  highBitDepth = false,
): Promise<Rows> {
  const settings: EncodeSettings = { smart: null, keepsProfile: false, size }
  const render = async (lenient: boolean) => {
    const pipeline = prepare(picture, highBitDepth ? 'avif' : 'webp', settings, lenient)
    const depth = highBitDepth ? 'ushort' : 'uchar'
    const { data, info } = await pipeline.raw({ depth }).toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: info.channels as 3 | 4 }
  }
  return asFarAsReadable(picture, render, onDamage)
}
