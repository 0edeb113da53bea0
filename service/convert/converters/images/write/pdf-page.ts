import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { JobFailure } from '../../../../shared/errors.ts'
import { readHead } from '../../../../shared/picture-signatures.ts'
import type { Task } from '../../../catalogue/task.ts'
import type { PdfPage } from '../../../engines/pdf/from-images/document.ts'
import { encodedBytes, type PdfImage } from '../../../engines/pdf/from-images/image.ts'
import { jpegImage } from '../../../engines/pdf/from-images/jpeg.ts'
import { pngImage } from '../../../engines/pdf/from-images/png.ts'
import { hasChunk } from '../../../engines/pictures/formats/png.ts'
import type { Pixels } from '../../../engines/pictures/pixels.ts'
import { prepare } from '../../../engines/pictures/sharp/encode.ts'
import { FULL_CHROMA } from '../../../engines/pictures/sharp/encodings.ts'
import { sharpFailure } from '../../../engines/pictures/sharp/failure.ts'
import { type Sharp, sharp } from '../../../engines/pictures/sharp/load.ts'
import {
  asFarAsReadable,
  type Encoded,
  openPicture,
  type Picture,
} from '../../../engines/pictures/sharp/picture.ts'
import { samplesOf } from '../../../engines/pictures/sharp/samples.ts'
import { DAMAGED } from './damage.ts'
import { type ImageSettings, targetSize } from './settings.ts'

/** Plausible resolutions; anything else is a placeholder. */
const DPI = { least: 30, most: 2400 }

type Size = { width: number; height: number } | undefined

/**
 * A picture as a page of a PDF. The coded data of JPEG and PNG files are copied unchanged where PDF supports them and
 * nothing is to be changed; other photographs become JPEG of high quality, everything else is compressed losslessly.
 * @throws JobFailure corrupt_input, too_large, unsupported_input
 */
export async function pdfPage(
  task: Task,
  source: Pixels | Encoded,
  settings: ImageSettings,
): Promise<PdfPage> {
  const picture = await openPicture(source)
  const size = targetSize(picture, settings.resize)
  const lenient = await check(picture, task)
  // Not every PDF reader shows what is left of damaged data.
  const untouched =
    size || lenient ? undefined : await original(source, picture, settings.metadata.keep !== 'all')
  const photo = isPhoto(task.source, picture)
  const candidates: PdfImage[] = untouched ? [untouched] : []
  const jpeg = (quality: number) => photograph(picture, size, lenient, quality)
  try {
    if (!untouched) candidates.push(photo ? await jpeg(90) : await lossless(picture, size, lenient))
    if (settings.smart === 'lossy') candidates.push(await jpeg(80))
    if (settings.smart === 'lossless' && untouched && !photo) {
      candidates.push(await lossless(picture, size, lenient))
    }
  } catch (error) {
    throw sharpFailure(error)
  }
  const image = candidates.reduce((best, next) => (encodedBytes(next) < encodedBytes(best) ? next : best))
  return { image, density: await density(source, picture, settings, size) }
}

/** Formats whose pictures are photographs, with noise that lossless compression only enlarges. */
const PHOTOS = new Set(['avif', 'heic', 'jpg', 'raw'])

const isPhoto = (source: string, { metadata, alpha }: Picture): boolean =>
  metadata.format === 'jpeg' || (PHOTOS.has(source) && !alpha)

/** Pixels per inch on the page: as requested, otherwise as in the file, otherwise 96. */
async function density(
  source: Pixels | Encoded,
  { metadata, width }: Picture,
  settings: ImageSettings,
  size: Size,
): Promise<number> {
  if (settings.density) return settings.density
  const own = (await namesDensity(source, metadata)) ? (metadata.density ?? 0) : 0
  if (own < DPI.least || own > DPI.most) return 96
  // A scaled picture keeps its size on paper.
  return size ? Math.max(1, (own * size.width) / width) : own
}

/** Whether a file contains a resolution at all: if not, libvips reports 72. */
async function namesDensity(
  source: Pixels | Encoded,
  { format, density: read }: Picture['metadata'],
): Promise<boolean> {
  if (read !== 72) return true
  if (!('encoded' in source) || typeof source.encoded !== 'string') return false
  if (format === 'png') return hasChunk(source.encoded, 'pHYs')
  if (format !== 'jpeg') return true
  // JFIF, the first segment: its unit is 0 if it only contains an aspect ratio.
  const head = await readHead(source.encoded)
  return head.toString('latin1', 6, 10) === 'JFIF' && head[13] !== 0
}

/** Decodes the picture once, so that no damaged data are copied. Returns whether it is damaged but readable. */
async function check(picture: Picture, task: Task): Promise<boolean> {
  let isDamaged = false
  const decode = (lenient: boolean) =>
    picture.open(lenient).resize(8, 8, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer()
  await asFarAsReadable(picture, decode, () => {
    isDamaged = true
    task.warn(DAMAGED)
  })
  return isDamaged
}

/** The file's own coded data, if PDF supports them. */
async function original(
  source: Pixels | Encoded,
  { metadata }: Picture,
  strip: boolean,
): Promise<PdfImage | undefined> {
  if (!('encoded' in source) || source.page) return undefined
  const { encoded } = source
  const read = async () => (typeof encoded === 'string' ? readFile(encoded) : Buffer.from(encoded))
  let image: PdfImage | undefined
  if (metadata.format === 'jpeg') image = jpegImage(await read(), strip)
  if (metadata.format === 'png') image = pngImage(await read())
  return image && { ...image, orientation: metadata.orientation ?? 1 }
}

const plain = { smart: null, keepsProfile: false }

async function photograph(
  picture: Picture,
  size: Size,
  lenient: boolean,
  quality: number,
): Promise<PdfImage> {
  const pipeline = prepare(picture, 'jpg', { ...plain, background: '#ffffff', size }, lenient)
  const options =
    quality >= FULL_CHROMA ? { quality, chromaSubsampling: '4:4:4' } : { quality, mozjpeg: true }
  const image = jpegImage(await pipeline.jpeg(options).toBuffer(), true)
  if (!image) throw new JobFailure('jobs.engine_crashed')
  return image
}

/** Colours compressed as in PNG (CMYK with plain deflate), transparency as a separate mask. */
async function lossless(picture: Picture, size: Size, lenient: boolean): Promise<PdfImage> {
  if (picture.model === 'cmyk' && !picture.highBitDepth) return inks(picture, size, lenient)
  const pipeline = prepare(picture, 'png', { ...plain, size }, lenient).removeAlpha()
  const image = await asPng(pipeline, picture.metadata.bitsPerSample === 1 && !size)
  if (!picture.alpha) return image
  const alpha = prepare(picture, 'png', { ...plain, size }, lenient).extractChannel('alpha')
  const { data, width, height } = await samplesOf(alpha, false)
  if (data.every(value => value === 255)) return image
  return {
    ...image,
    mask: await asPng(sharp(data, { raw: { width, height, channels: 1 } }).toColourspace('b-w')),
  }
}

async function asPng(pipeline: Sharp, bilevel = false): Promise<PdfImage> {
  const options = bilevel ? { palette: true, colours: 2 } : { compressionLevel: 6, adaptiveFiltering: true }
  const image = pngImage(await pipeline.png(options).toBuffer())
  if (!image) throw new JobFailure('jobs.engine_crashed')
  return image
}

async function inks(picture: Picture, size: Size, lenient: boolean): Promise<PdfImage> {
  let pipeline = picture.open(lenient).pipelineColourspace('cmyk').toColourspace('cmyk').removeAlpha()
  if (size) pipeline = pipeline.resize({ ...size, fit: 'fill' })
  const { data, width, height } = await samplesOf(pipeline, false)
  const { icc } = picture.metadata
  return {
    width,
    height,
    bits: 8,
    colours: { model: 'cmyk' },
    filter: 'FlateDecode',
    data: [await promisify(deflate)(data)],
    ...(icc ? { icc } : {}),
  }
}
