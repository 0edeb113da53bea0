/** The parts of AV1 streams that containers need (AV1 bitstream specification, sections 5.3 to 5.5). */

const TEMPORAL_DELIMITER = 2
const SEQUENCE_HEADER = 1

/** Splits an IVF file into its frames. */
export function* readIvf(file: Buffer): Generator<Buffer> {
  for (let at = file.readUInt16LE(6); at + 12 <= file.length; ) {
    const size = file.readUInt32LE(at)
    yield file.subarray(at + 12, at + 12 + size)
    at += 12 + size
  }
}

/** The header of an IVF file of AV1. */
export function ivfHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(32)
  header.write('DKIF', 0, 'latin1')
  header.writeUInt16LE(32, 6)
  header.write('AV01', 8, 'latin1')
  header.writeUInt16LE(width, 12)
  header.writeUInt16LE(height, 14)
  header.writeUInt32LE(1, 16)
  header.writeUInt32LE(1, 20)
  return header
}

export function ivfFrameHeader(size: number, index: number): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt32LE(size, 0)
  header.writeUInt32LE(index, 4)
  return header
}

interface Obu {
  type: number
  /** Header, size and payload. */
  bytes: Buffer
  payload: Buffer
}

/** Open bitstream units (OBUs) of a temporal unit; one without a size field extends to the end. */
function* obus(unit: Buffer): Generator<Obu> {
  for (let at = 0; at < unit.length; ) {
    const first = unit[at]!
    let payload = at + (first & 4 ? 2 : 1)
    let size = unit.length - payload
    if (first & 2) {
      size = 0
      for (let shift = 0; shift < 56; shift += 7) {
        const byte = unit[payload++] ?? 0
        size += (byte & 0x7f) * 2 ** shift
        if (byte < 0x80) break
      }
    }
    const end = Math.min(unit.length, payload + size)
    yield { type: (first >> 3) & 15, bytes: unit.subarray(at, end), payload: unit.subarray(payload, end) }
    at = end
  }
}

/** A temporal unit as stored in files: without the delimiter, which only streams need. */
export const withoutDelimiter = (unit: Buffer) =>
  Buffer.concat([...obus(unit)].filter(obu => obu.type !== TEMPORAL_DELIMITER).map(obu => obu.bytes))

export const sequenceHeader = (unit: Buffer) => [...obus(unit)].find(obu => obu.type === SEQUENCE_HEADER)

/**
 * The decoder configuration (`av1C`, AV1 in ISOBMFF 2.3) of a stream of 8-bit samples that begins with `unit`. Our
 * encoders write neither timing information nor several operating points, so the level is in the fourth byte.
 * @param sampling subsampling of the stream
 */
export function configurationOf(unit: Buffer, sampling: 'gray' | 'yuv420p' | 'yuv444p'): Buffer {
  const header = sequenceHeader(unit)
  if (!header) throw new Error('the AV1 stream does not begin with a sequence header')
  const profile = header.payload[0]! >> 5
  const level = header.payload[3]! >> 3
  const tier = level > 7 ? (header.payload[3]! >> 2) & 1 : 0
  const shape = { gray: 0b11100, yuv420p: 0b01100, yuv444p: 0 }[sampling]
  return Buffer.concat([Buffer.from([0x81, (profile << 5) | level, (tier << 7) | shape, 0]), header.bytes])
}
