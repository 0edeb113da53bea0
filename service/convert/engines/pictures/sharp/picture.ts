import { readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { PIXEL_LIMIT } from '../../common/limits.ts'
import { mapBehind } from '../formats/gain-map.ts'
import { hasCodedData } from '../formats/jpeg.ts'
import { exifOfTexts, withLeadingExif } from '../formats/png.ts'
import { type Pixels, release } from '../pixels.ts'
import { sharpFailure } from './failure.ts'
import { showHighBitDepthGrey } from './high-bit-depth-grey.ts'
import { type FailOnOptions, type Metadata, type Sharp, type SharpOptions, sharp } from './load.ts'
import { wrapTiff } from './tiff.ts'

/** A file that sharp can decode. */
export interface Encoded {
  encoded: Uint8Array | string
  /** Page or frame, from 0. */
  page?: number
  /** Fails on damage instead of reading as far as possible. */
  strict?: boolean
  /** Whether its pixels come from a file whose chroma had half the width and height. */
  chromaSubsampling420?: boolean
  /** False if the profile was put into the file here: it is applied, but not passed on. */
  ownProfile?: boolean
  /** Code points of its HDR, which that profile maps to the range of ordinary screens. */
  hdr?: Pixels['hdr']
  /** A TIFF stream of its EXIF where sharp does not find any. */
  exif?: Uint8Array
  /** Reads the gain map of a file in which sharp does not find it, upright, as it stands behind a JPEG. */
  gainMap?: () => Promise<Buffer | undefined>
}

/** A picture ready for processing: its properties, upright, and how to start a pipeline on it. */
export interface Picture {
  width: number
  height: number
  model: 'grey' | 'rgb' | 'cmyk' | 'lab'
  alpha: boolean
  /** Whether samples have more than 8 bits. */
  highBitDepth: boolean
  /** Whether chroma has half the width and height (4:2:0); undefined if its file has no chroma, as PNG. */
  chromaSubsampling420: boolean | undefined
  /** Whether a profile may be kept with the samples; not if it only represents other colour information of the file. */
  ownProfile: boolean
  metadata: Metadata
  /** What sharp reads. */
  input: Uint8Array | string
  /** Starts a pipeline that yields the picture upright. A lenient one reads a damaged file as far as possible. */
  open(lenient?: boolean): Sharp
  /** Throws `JobFailure` corrupt_input if nothing of a damaged picture can be read. */
  requirePixels(): Promise<void>
}

/** Formats that libvips can read in part. Of others it reads nothing, or less than is possible. */
const READ_IN_PART = new Set(['gif', 'jpeg', 'tiff'])

/** Pixels to check, in rows rather than columns, since files are truncated between rows. */
const PROBE = { width: 32, height: 1024 }

/**
 * Makes sure that a damaged picture has some content: without data, a decoder fills the picture with one colour. For a
 * JPEG without any coded data it may produce a few random pixels.
 */
async function requirePixels(input: Uint8Array | string, damaged: Sharp, format: string): Promise<void> {
  try {
    const file = async () => (typeof input === 'string' ? readFile(input) : Buffer.from(input))
    const coded = format !== 'jpeg' || hasCodedData(await file())
    const probe = damaged.resize({ ...PROBE, fit: 'fill', kernel: 'nearest' })
    const { data, info } = await probe.raw().toBuffer({ resolveWithObject: true })
    const uniform = data.every((value, at) => value === data[at % info.channels])
    const black = data.subarray(0, 3).every(value => value === 0)
    // A page of one colour may be genuine; formats other than JPEG are filled with zeros.
    if (coded && !(uniform && (black || format === 'jpeg'))) return
  } catch (error) {
    throw sharpFailure(error)
  }
  throw new JobFailure('jobs.corrupt_input', message('picture.nothing_left'))
}

async function inputOf(source: Pixels | Encoded): Promise<[Uint8Array | string, SharpOptions]> {
  if ('encoded' in source) return [source.encoded, source.page === undefined ? {} : { page: source.page }]
  const { data, width, height, channels, space = 'rgb' } = source
  const { icc, orientation = 1 } = source
  const plain = space === 'rgb' && channels !== 5 && !icc && orientation === 1
  if (!plain || !(data instanceof Uint8Array)) return [wrapped(source), {}]
  return [data, { raw: { width, height, channels } }]
}

/** Wraps pixels in a file, and frees them. */
function wrapped(pixels: Pixels): Uint8Array {
  const file = wrapTiff(pixels)
  release(pixels)
  return file
}

/** Results of looking for EXIF at the end of a PNG, by what is opened: for one conversion that happens several times. */
const searched = new WeakMap<Pixels | Encoded, ReturnType<typeof withLeadingExif>>()

const models: Record<string, Picture['model']> = {
  'b-w': 'grey',
  grey16: 'grey',
  cmyk: 'cmyk',
  lab: 'lab',
  labs: 'lab',
}

/**
 * What an attempt makes of a picture; of a damaged one, a lenient attempt as far as it can be read, and `onDamage` is called.
 * @throws JobFailure
 */
export async function asFarAsReadable<T>(
  picture: Pick<Picture, 'requirePixels'>,
  attempt: (lenient: boolean) => Promise<T>,
  onDamage: () => void,
): Promise<T> {
  try {
    return await attempt(false)
  } catch (error) {
    if (sharpFailure(error).code !== 'jobs.corrupt_input') throw sharpFailure(error)
  }
  await picture.requirePixels()
  const result = await attempt(true).catch(error => {
    throw sharpFailure(error)
  })
  onDamage()
  return result
}

/**
 * Reads the properties of a picture, and takes over the pixels of a decoded one.
 * @param keepsGreyProfile whether grey samples keep their profile, and need not be converted to sRGB
 * @throws JobFailure if it is not a picture
 */
export async function openPicture(
  source: Pixels | Encoded,
  { keepsGreyProfile = false } = {},
): Promise<Picture> {
  const [input, options] = await inputOf(source)
  const strict = 'strict' in source && source.strict
  const reader = (failOn: FailOnOptions) =>
    sharp(input, { limitInputPixels: PIXEL_LIMIT, failOn, ...options })
  try {
    const found = await reader('none').metadata()
    const isSearched = found.format === 'png' && !found.exif
    if (isSearched && !searched.has(source)) searched.set(source, withLeadingExif(input))
    const moved = isSearched && (await searched.get(source))
    if (moved) return await openPicture({ ...source, encoded: moved }, { keepsGreyProfile })
    const image = found.format === 'jpeg' && !found.gainMap ? await mapBehind(input) : undefined
    const exif = found.exif ?? exifOfTexts(found.comments)
    const metadata: Metadata = { ...found, ...(exif && { exif }), ...(image && { gainMap: { image } }) }
    const start = (lenient: boolean) =>
      reader(!lenient ? 'warning' : READ_IN_PART.has(metadata.format) ? 'none' : 'error')
    if (metadata.space === 'grey16' && metadata.icc && !keepsGreyProfile) {
      const shown = await showHighBitDepthGrey(() => start(false), metadata).catch(() => undefined)
      const { density } = metadata
      const picture = shown && (await openPicture(shown))
      if (picture) return { ...picture, metadata: { ...picture.metadata, ...(density && { density }) } }
    }
    const open = (lenient = false) => {
      const upright = start(lenient && !strict).autoOrient()
      return metadata.depth === 'float' ? upright.pipelineColourspace('rgb16') : upright
    }
    const chroma = 'encoded' in source ? metadata.chromaSubsampling : undefined
    const chromaSubsampling420 =
      source.chromaSubsampling420 ?? (chroma === undefined ? undefined : chroma === '4:2:0')
    const { width, height } = metadata.autoOrient
    if (!width || !height) throw new JobFailure('jobs.corrupt_input')
    return {
      width,
      height,
      model: models[metadata.space] ?? 'rgb',
      alpha: metadata.hasAlpha,
      highBitDepth: metadata.depth !== 'uchar',
      metadata,
      input,
      chromaSubsampling420,
      ownProfile: source.ownProfile !== false,
      open,
      requirePixels: () => requirePixels(input, open(true), metadata.format),
    }
  } catch (error) {
    throw sharpFailure(error)
  }
}
