import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { PIXEL_LIMIT } from '../../common/limits.ts'
import { heightOf, isEmpty, type Point, type Rect, readRect, widthOf } from './geometry.ts'
import { type Region, readRegion } from './regions.ts'

/** Affine map from image to picture: x' = a x + c y + tx, y' = b x + d y + ty. */
export interface Matrix {
  a: number
  b: number
  c: number
  d: number
  tx: number
  ty: number
}

/** An image in one of QuickTime's compressions, as stored in a picture. */
export interface QuickTimeImage {
  codec: string
  width: number
  height: number
  data: Uint8Array
  matrix: Matrix
  source: Rect
  mode: number
  mask: Region | undefined
  /** Whether all of its data are there. */
  complete: boolean
}

function readMatrix(reader: ByteReader): Matrix {
  const [a, b] = [reader.fixed(), reader.fixed()]
  reader.skip(4)
  const [c, d] = [reader.fixed(), reader.fixed()]
  reader.skip(4)
  const [tx, ty] = [reader.fixed(), reader.fixed()]
  reader.skip(4)
  return { a, b, c, d, tx, ty }
}

const damaged = () => new JobFailure('jobs.corrupt_input', message('pict.damaged_image_description'))

/**
 * Reads CompressedQuickTime (0x8200): version, matrix, matte, transfer mode, source, accuracy, mask, then the image's
 * description and its data (Inside Macintosh: QuickTime, 3-63 ff.). The matte is skipped.
 */
export function readCompressed(reader: ByteReader): QuickTimeImage {
  reader.skip(2)
  const matrix = readMatrix(reader)
  const matteSize = reader.u32()
  reader.skip(8)
  const mode = reader.u16() & ~64
  const source = readRect(reader)
  reader.skip(4)
  const maskSize = reader.u32()
  if (matteSize > 0) {
    reader.skip(Math.max(0, reader.u32() - 4))
    reader.skip(matteSize)
  }
  const mask = maskSize >= 10 ? readRegion(reader.section(maskSize)) : undefined
  return { ...readDescription(reader), matrix, source, mode, mask }
}

const DESCRIPTION = 86

function readDescription(reader: ByteReader) {
  const size = reader.u32()
  if (size < DESCRIPTION) throw damaged()
  const description = reader.section(size - 4)
  const codec = description.latin1(4)
  description.skip(24)
  const [width, height] = [description.u16(), description.u16()]
  description.skip(8)
  const dataSize = description.u32()
  if (width === 0 || height === 0 || width * height > PIXEL_LIMIT) throw damaged()
  // Some writers omit the size of the data, which is then everything that is left.
  const complete = dataSize <= reader.remaining
  const data = reader.take(dataSize > 0 && complete ? dataSize : reader.remaining)
  return { codec, width, height, data, complete }
}

/** The visible part of an image: what the record says, or all of it. */
export function sourceOf({ source, width, height }: QuickTimeImage): Rect {
  return isEmpty(source) ? { top: 0, left: 0, bottom: height, right: width } : source
}

/** The corners of an image's destination. */
export function cornersOf(image: QuickTimeImage): Point[] {
  const { a, b, c, d, tx, ty } = image.matrix
  const source = sourceOf(image)
  const at = (x: number, y: number) => ({ x: a * x + c * y + tx, y: b * x + d * y + ty })
  const [w, h] = [widthOf(source), heightOf(source)]
  return [at(0, 0), at(w, 0), at(0, h), at(w, h)]
}

/** The destination of an image without rotation, in whole coordinates. */
export function placeOf(image: QuickTimeImage): Rect {
  const corners = cornersOf(image).map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }))
  const [first, last] = [corners[0]!, corners[3]!]
  return { left: first.x, top: first.y, right: last.x, bottom: last.y }
}
