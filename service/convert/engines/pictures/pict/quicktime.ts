import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { ByteReader } from '../../common/byte-reader.ts'
import { PIXEL_LIMIT } from '../../common/limits.ts'
import { heightOf, isEmpty, readRect, widthOf } from './geometry.ts'
import { type Placement, readMode } from './pixmaps.ts'
import { readRegion } from './regions.ts'

/** An image in one of QuickTime's compressions, as stored in a picture. */
export interface QuickTimeImage extends Placement {
  codec: string
  width: number
  height: number
  data: Uint8Array
  /** Whether all of its data are there. */
  complete: boolean
}

const damaged = () => new JobFailure('jobs.corrupt_input', message('pict.damaged_image_description'))

/** Reads a matrix, of which QuickTime's own pictures only use the scale and the offset. */
function readMatrix(reader: ByteReader) {
  const across = reader.fixed()
  reader.skip(12)
  const down = reader.fixed()
  reader.skip(4)
  const [x, y] = [reader.fixed(), reader.fixed()]
  reader.skip(4)
  return { across, down, x, y }
}

/**
 * Reads CompressedQuickTime (0x8200): version, matrix, matte, transfer mode, source, accuracy, mask, then the image's
 * description and its data (Inside Macintosh: QuickTime, 3-63 ff.). The matte is skipped.
 */
export function readCompressed(reader: ByteReader): QuickTimeImage {
  reader.skip(2)
  const { across, down, x, y } = readMatrix(reader)
  const matteSize = reader.u32()
  reader.skip(8)
  const mode = readMode(reader)
  const part = readRect(reader)
  reader.skip(4)
  const maskSize = reader.u32()
  if (matteSize > 0) {
    reader.skip(Math.max(0, reader.u32() - 4))
    reader.skip(matteSize)
  }
  const region = maskSize >= 10 ? readRegion(reader.section(maskSize)) : undefined
  const image = readDescription(reader)
  const source = isEmpty(part) ? { top: 0, left: 0, bottom: image.height, right: image.width } : part
  const destination = {
    left: Math.round(x),
    top: Math.round(y),
    right: Math.round(x + across * widthOf(source)),
    bottom: Math.round(y + down * heightOf(source)),
  }
  // A plain rectangle is the whole image.
  return { ...image, source, destination, mode, mask: region && region.rects.length > 1 ? region : undefined }
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
