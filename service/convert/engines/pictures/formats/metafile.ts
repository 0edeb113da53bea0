/**
 * Windows metafiles, which are lists of drawing records: EMF ([MS-EMF]) and WMF ([MS-WMF]), also compressed (EMZ,
 * WMZ).
 */
import { gunzipSync } from 'node:zlib'

export interface Metafile {
  kind: 'emf' | 'wmf'
  /** The commands, uncompressed; a WMF without its placeable header. */
  bytes: Buffer
  /** Size in points; 0 if the file does not contain it. */
  width: number
  height: number
}

export interface MetafileRecord {
  type: number
  /** Start and end offsets. */
  start: number
  end: number
}

/** Largest metafile that is read, uncompressed. */
const LIMIT_BYTES = 16_000_000
const POINTS_PER_INCH = 72
/** Units per inch of an EMF's frame, which is in hundredths of a millimetre. */
const FRAME_PER_INCH = 2540

const EMF_SIGNATURE = ' EMF'
const EMF_SIGNATURE_OFFSET = 40
const EMF_FRAME_OFFSET = 24
const EMF_HEADER_BYTES = 88
const PLACEABLE_KEY = 0x9ac6cdd7
const PLACEABLE_BYTES = 22
const WMF_HEADER_BYTES = 18
const WMF_HEADER = /^0[12]000900/

/** Identifies a metafile by its header: [MS-EMF] 2.3.4.2, [MS-WMF] 2.3.2.2 and 2.3.2.3; undefined for anything else. */
export function readMetafile(file: Uint8Array): Metafile | undefined {
  const bytes = unpacked(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  if (!bytes || bytes.length > LIMIT_BYTES) return undefined
  const isEmf =
    bytes.length >= EMF_HEADER_BYTES &&
    bytes.readUInt32LE(0) === 1 &&
    bytes.toString('latin1', EMF_SIGNATURE_OFFSET, EMF_SIGNATURE_OFFSET + 4) === EMF_SIGNATURE
  if (isEmf) return { kind: 'emf', bytes, ...sizeOf(bytes, EMF_FRAME_OFFSET, 4, FRAME_PER_INCH) }
  if (bytes.length < PLACEABLE_BYTES + WMF_HEADER_BYTES) return undefined
  if (bytes.readUInt32LE(0) === PLACEABLE_KEY) {
    const size = sizeOf(bytes, 6, 2, bytes.readUInt16LE(14))
    return { kind: 'wmf', bytes: bytes.subarray(PLACEABLE_BYTES), ...size }
  }
  if (!WMF_HEADER.test(bytes.toString('hex', 0, 4))) return undefined
  return { kind: 'wmf', bytes, width: 0, height: 0 }
}

function unpacked(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: LIMIT_BYTES })
  } catch {
    return undefined
  }
}

/** The size of a rectangle stored as left, top, right and bottom, of `width` bytes each. */
function sizeOf(bytes: Buffer, offset: number, width: 2 | 4, unitsPerInch: number) {
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 1, 2, 3].map(index =>
    bytes.readIntLE(offset + index * width, width),
  )
  const points = (units: number) =>
    unitsPerInch > 0 ? (Math.abs(units) * POINTS_PER_INCH) / unitsPerInch : 0
  return { width: points(right - left), height: points(bottom - top) }
}

/** The complete records of a metafile. */
export function* recordsOf({ kind, bytes }: Metafile): Generator<MetafileRecord> {
  for (let start = kind === 'emf' ? 0 : WMF_HEADER_BYTES; start + 8 <= bytes.length; ) {
    const type = kind === 'emf' ? bytes.readUInt32LE(start) : bytes.readUInt16LE(start + 4)
    const size = kind === 'emf' ? bytes.readUInt32LE(start + 4) : bytes.readUInt32LE(start) * 2
    if (size < 6 || start + size > bytes.length) return
    yield { type, start, end: start + size }
    start += size
  }
}
