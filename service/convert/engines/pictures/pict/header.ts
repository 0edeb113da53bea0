import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { ByteReader } from '../../common/byte-reader.ts'
import { heightOf, isEmpty, type Rect, readRect, widthOf } from './geometry.ts'

export interface PictHeader {
  version: 1 | 2
  /** The visible coordinates. */
  frame: Rect
  /** Coordinate units of `frame` per point of 1/72 inch; above 1 for pictures with a higher resolution. */
  unitsPerPoint: number
  /** Positioned at the first opcode. */
  reader: ByteReader
}

/** Files begin with 512 bytes for the application; some writers omit them or add MacBinary's 128. */
const starts = [512, 0, 640]

/** Finds the picture in a file and reads its size, frame, version and, in version 2, its resolution. */
export function readHeader(bytes: Uint8Array): PictHeader {
  for (const start of starts) {
    const version = versionAt(bytes, start)
    if (!version) continue
    const reader = new ByteReader(bytes, start + 2)
    const pictureFrame = readRect(reader)
    reader.skip(version === 1 ? 2 : 4)
    const extended = version === 2 ? readExtended(reader) : undefined
    const frame = extended ?? pictureFrame
    if (isEmpty(frame)) {
      throw new JobFailure('jobs.corrupt_input', message('pict.no_size'))
    }
    const points = isEmpty(pictureFrame) ? widthOf(frame) : widthOf(pictureFrame)
    return { version, frame, unitsPerPoint: Math.max(1, widthOf(frame) / points), reader }
  }
  throw new JobFailure('jobs.corrupt_input', message('pict.not_a_picture'))
}

function versionAt(bytes: Uint8Array, start: number): 1 | 2 | undefined {
  const at = start + 10
  if (bytes[at] === 0x11 && bytes[at + 1] === 0x01) return 1
  if (bytes[at] === 0 && bytes[at + 1] === 0x11 && bytes[at + 2] === 0x02) return 2
  return undefined
}

/** The header opcode of extended pictures (version word -2) contains the source rectangle at full resolution. */
function readExtended(reader: ByteReader): Rect | undefined {
  const { position } = reader
  if (reader.remaining < 26 || reader.u16() !== 0x0c00 || reader.i16() !== -2) {
    reader.seek(position)
    return undefined
  }
  reader.skip(2 + 4 + 4)
  const source = readRect(reader)
  reader.seek(position)
  return isEmpty(source) || widthOf(source) * heightOf(source) > 4e9 ? undefined : source
}
