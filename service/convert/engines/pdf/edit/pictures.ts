/** Makes the pictures of a document smaller. */
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import {
  PDFArray,
  PDFBool,
  type PDFContext,
  type PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { PIXEL_LIMIT } from '../../common/limits.ts'
import { scaledSize } from '../../common/rectangle.ts'
import { readChunks } from '../../pictures/formats/png.ts'
import { sharp } from '../../pictures/sharp/load.ts'
import {
  allDicts,
  dictOf,
  entry,
  filtersOf,
  items,
  name,
  nameEntry,
  numberEntry,
  remove,
} from '../pdfa/objects.ts'
import { placements, type ShownSize } from './placements.ts'

export interface PictureQuality {
  /** Pixels per inch above which pictures are resampled. */
  dpi: number
  /** Of JPEG, 1 to 100. */
  quality: number
}

/** A picture is only replaced by one that saves more than this share of its bytes, since each encoding costs quality. */
const WORTH = 0.9
/** Resampling by less than this blurs a picture and hardly saves anything. */
const LEAST_SCALE = 0.8
/** Smallest edge in pixels: what is smaller are lines and dots. */
const LEAST_EDGE = 16

/**
 * Resamples and re-encodes pictures of grey or RGB with 8 bits. Others stay as they are: masks, inks, palettes, faxes, JPEG 2000,
 * and all whose samples mean something else than usual.
 * @param document a document whose streams are unpacked, except for coded pictures
 * @param progress gets the share that is done
 */
export async function shrinkPictures(
  document: PDFDocument,
  target: PictureQuality,
  progress: (share: number) => void,
): Promise<void> {
  const shown = placements(document)
  const masks = new Set<PDFObject | undefined>()
  for (const { dict } of allDicts(document)) for (const key of ['SMask', 'Mask']) masks.add(entry(dict, key))
  const pictures = document.context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFRawStream && nameEntry(object.dict, 'Subtype') === 'Image')
  for (const [index, [ref, object]] of pictures.entries()) {
    progress(index / pictures.length)
    const stream = object as PDFRawStream
    const size = shown.get(stream)
    const smaller =
      size && !masks.has(stream) ? await asJpeg(stream, size, target).catch(() => undefined) : undefined
    const replaced = smaller ?? (await predicted(stream).catch(() => undefined))
    if (replaced) document.context.assign(ref, replaced)
  }
}

/** Components of the samples, if they are grey or RGB of 8 bits in the usual range. */
function componentsOf(dict: PDFDict): 1 | 3 | undefined {
  if (numberEntry(dict, 'BitsPerComponent') !== 8 || entry(dict, 'ImageMask') === PDFBool.True)
    return undefined
  // A mask of colours does not survive lossy coding.
  if (entry(dict, 'Mask') instanceof PDFArray || entry(dict, 'Decode')) return undefined
  const mask = dictOf(entry(dict, 'SMask'))
  if (mask?.has(name('Matte')) || numberEntry(dict, 'SMaskInData')) return undefined
  return countOf(dict.context, entry(dict, 'ColorSpace'))
}

function countOf(context: PDFContext, space: PDFObject | undefined): 1 | 3 | undefined {
  const [first, second] = space instanceof PDFArray ? items(context, space) : [space]
  const family = first instanceof PDFName ? first.decodeText() : ''
  if (family === 'DeviceGray' || family === 'CalGray') return 1
  if (family === 'DeviceRGB' || family === 'CalRGB') return 3
  const count = family === 'ICCBased' ? numberEntry(dictOf(second), 'N') : undefined
  return count === 1 || count === 3 ? count : undefined
}

/** The picture as a JPEG for the size at which it is shown; undefined if that is not possible or saves nothing. */
async function asJpeg(
  { dict, contents }: PDFRawStream,
  shown: ShownSize,
  { dpi, quality }: PictureQuality,
): Promise<PDFRawStream | undefined> {
  const channels = componentsOf(dict)
  const [width = 0, height = 0] = [numberEntry(dict, 'Width'), numberEntry(dict, 'Height')]
  if (!channels || Math.min(width, height) < LEAST_EDGE || width * height > PIXEL_LIMIT) return undefined
  const [filter, more] = filtersOf(dict)
  if (more || (filter && filter !== 'DCTDecode')) return undefined
  if (!filter && contents.length < width * height * channels) return undefined
  // What a JPEG says of its own colours and orientation does not count within a PDF.
  const raw = { raw: { width, height, channels } }
  const samples = filter ? contents : contents.subarray(0, width * height * channels)
  const picture = sharp(samples, { limitInputPixels: PIXEL_LIMIT, ignoreIcc: true, ...(filter ? {} : raw) })
  const found = await picture.metadata()
  if (filter && (found.channels !== channels || found.width !== width || found.height !== height))
    return undefined
  const wanted = Math.max((shown.width / 72) * (dpi / width), (shown.height / 72) * (dpi / height))
  const scale = wanted < LEAST_SCALE ? wanted : 1
  const { data, info } = await picture
    .resize({ ...scaledSize({ width, height }, scale), fit: 'fill' })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality, mozjpeg: true, chromaSubsampling: quality >= 85 ? '4:4:4' : '4:2:0' })
    .toBuffer({ resolveWithObject: true })
  const before = filter ? contents.length : ((await predicted({ dict, contents }))?.contents.length ?? 0)
  if (info.channels !== channels || data.length > before * WORTH) return undefined
  const smaller = dict.clone()
  remove(smaller, 'DecodeParms', 'Length')
  smaller.set(name('Filter'), name('DCTDecode'))
  smaller.set(name('Width'), PDFNumber.of(info.width))
  smaller.set(name('Height'), PDFNumber.of(info.height))
  return PDFRawStream.of(smaller, data)
}

/** An unpacked picture, packed as in PNG or without its filters; undefined for any other. */
async function predicted({
  dict,
  contents,
}: Pick<PDFRawStream, 'dict' | 'contents'>): Promise<PDFRawStream | undefined> {
  const [width = 0, height = 0] = [numberEntry(dict, 'Width'), numberEntry(dict, 'Height')]
  if (filtersOf(dict).length > 0 || width * height === 0) return undefined
  const packed = await promisify(deflate)(contents, { level: 9 })
  const channels = contents.length / (width * height)
  const best = dict.clone()
  remove(best, 'DecodeParms', 'Length')
  best.set(name('Filter'), name('FlateDecode'))
  if (channels === 1 || channels === 3 || channels === 4) {
    const raw = { width, height, channels } as const
    const picture = sharp(contents, { limitInputPixels: PIXEL_LIMIT, raw })
    const png = await picture
      .toColourspace(channels === 1 ? 'b-w' : 'srgb')
      .png({ compressionLevel: 9, adaptiveFiltering: true })
      .toBuffer()
    const data = Buffer.concat(
      [...readChunks(png)].filter(({ type }) => type === 'IDAT').map(chunk => chunk.data),
    )
    if (data.length < packed.length) {
      const filters = { Predictor: 15, Colors: channels, BitsPerComponent: 8, Columns: width }
      best.set(name('DecodeParms'), dict.context.obj(filters))
      return PDFRawStream.of(best, data)
    }
  }
  return PDFRawStream.of(best, packed)
}
