/** Chunks of WebP files (RFC 9649). */
import type { Size } from '../../common/rectangle.ts'

/** `RIFF`, the size of what follows, `WEBP`. */
const HEADER_BYTES = 12

interface Chunk {
  type: string
  start: number
  /** End of the chunk, including padding; beyond the file's end if that is truncated. */
  end: number
}

function* webpChunks(file: Buffer): Generator<Chunk> {
  for (let at = HEADER_BYTES; at + 8 <= file.length; ) {
    const bytes = file.readUInt32LE(at + 4)
    const end = at + 8 + bytes + (bytes & 1)
    yield { type: file.toString('latin1', at, at + 4), start: at, end }
    at = end
  }
}

/** Width and height in pixels, from the header of the first picture or of the canvas; undefined if truncated. */
export function webpSize(file: Buffer): Size | undefined {
  const first = webpChunks(file).next().value
  if (!first || file.length < first.start + 18) return undefined
  const at = first.start + 8
  if (first.type === 'VP8X')
    return { width: file.readUIntLE(at + 4, 3) + 1, height: file.readUIntLE(at + 7, 3) + 1 }
  if (first.type === 'VP8L') {
    const bits = file.readUInt32LE(at + 1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  // A key frame's header: three bytes, a start code of three, then 14 bits each.
  if (first.type === 'VP8 ')
    return { width: file.readUInt16LE(at + 6) & 0x3fff, height: file.readUInt16LE(at + 8) & 0x3fff }
  return undefined
}

/** A file with the complete frames of an animation; undefined if it is not an animation or none is complete. */
export function wholeFrames(file: Buffer): Buffer | undefined {
  const whole = [...webpChunks(file)].filter(({ end }) => end <= file.length)
  if (!whole.some(({ type }) => type === 'ANMF')) return undefined
  const parts = whole.map(({ start, end }) => file.subarray(start, end))
  return webpOf(file, parts)
}

/** A file with the header of another one and these chunks. */
function webpOf(file: Buffer, parts: readonly Buffer[]): Buffer {
  const head = Buffer.from(file.subarray(0, HEADER_BYTES))
  const size = parts.reduce((sum, part) => sum + part.length, 4)
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, ...parts])
}

/** Flags in the header of an extended WebP (RFC 9649, 2.7). */
const FLAGS = { alpha: 0x10, exif: 0x08, xmp: 0x04 }

/** A file with these blocks, or without any, in place of its own. */
export function webpWithBlocks(
  file: Buffer,
  { exif, xmp }: { exif?: Uint8Array | undefined; xmp?: Uint8Array | undefined },
): Buffer {
  const chunk = (type: string, data: Uint8Array) => {
    const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
  }
  const all = [...webpChunks(file)].map(({ type, start, end }) => ({
    type,
    bytes: Buffer.from(file.subarray(start, end)),
  }))
  const parts = all.filter(({ type }) => type !== 'EXIF' && type !== 'XMP ').map(({ bytes }) => bytes)
  const added = [...(exif ? [chunk('EXIF', exif)] : []), ...(xmp ? [chunk('XMP ', xmp)] : [])]
  const size = webpSize(file)
  if (all[0]?.type !== 'VP8X' && size && added.length > 0) {
    const header = Buffer.alloc(10)
    // The size of a lossless picture is followed by whether it has transparent parts.
    if (all[0]?.type === 'VP8L' && all[0].bytes[12]! & 0x10) header[0] = FLAGS.alpha
    header.writeUIntLE(size.width - 1, 4, 3)
    header.writeUIntLE(size.height - 1, 7, 3)
    parts.unshift(chunk('VP8X', header))
  }
  const [header] = parts
  if (header?.toString('latin1', 0, 4) === 'VP8X')
    header[8] = (header[8]! & ~(FLAGS.exif | FLAGS.xmp)) | (exif ? FLAGS.exif : 0) | (xmp ? FLAGS.xmp : 0)
  return webpOf(file, [...parts, ...added])
}
