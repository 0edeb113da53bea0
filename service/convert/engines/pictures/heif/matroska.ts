/** The parts of Matroska that a stream of HEVC pictures needs (RFC 9559). */
import type { Size } from '../../common/rectangle.ts'

/** Milliseconds between two pictures, which only have to differ; a block's time has 16 bits. */
const STEP = 1

const number = (value: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

/** Size of an element's content, in the eight bytes that are enough for any. */
const sizeOf = (bytes: number) => Buffer.concat([Uint8Array.of(1), number(0, 1), number(bytes, 6)])
const UNKNOWN_SIZE = Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)

const idOf = (id: number) => number(id, Math.ceil(Math.log2(id) / 8))

function element(id: number, ...content: Uint8Array[]): Buffer {
  const bytes = content.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([idOf(id), sizeOf(bytes), ...content])
}

const integer = (id: number, value: number) => element(id, number(value, 4))
const text = (id: number, value: string) => element(id, Buffer.from(value, 'latin1'))

/**
 * A video of pictures.
 * @param configuration an `hvcC` box
 * @param pictures each in parts: units with their lengths before them
 */
export function matroskaOf(
  configuration: Uint8Array,
  { width, height }: Size,
  pictures: readonly (readonly Uint8Array[])[],
): Uint8Array[] {
  const head = element(
    0x1a45dfa3,
    text(0x4282, 'matroska'), // DocType
    integer(0x4287, 4), // DocTypeVersion
    integer(0x4285, 2), // DocTypeReadVersion
  )
  const track = element(
    0xae,
    integer(0xd7, 1), // TrackNumber
    integer(0x73c5, 1), // TrackUID
    integer(0x83, 1), // TrackType: video
    text(0x86, 'V_MPEGH/ISO/HEVC'), // CodecID
    element(0x63a2, configuration), // CodecPrivate
    integer(0x23e383, STEP * 1e6), // DefaultDuration in nanoseconds
    element(0xe0, integer(0xb0, width), integer(0xba, height)), // Video: PixelWidth, PixelHeight
  )
  const blocks = pictures.flatMap((parts, index) => {
    // Number of the track, time, and that decoding can start here.
    const start = Buffer.concat([Uint8Array.of(0x81), number(index * STEP, 2), Uint8Array.of(0x80)])
    const bytes = parts.reduce((sum, { length }) => sum + length, start.length)
    return [idOf(0xa3), sizeOf(bytes), start, ...parts]
  })
  return [
    head,
    ...[idOf(0x18538067), UNKNOWN_SIZE], // Segment
    element(0x1654ae6b, track), // Tracks
    ...[idOf(0x1f43b675), UNKNOWN_SIZE, integer(0xe7, 0)], // Cluster, Timestamp
    ...blocks,
  ]
}
