/** Radiance pictures (https://radsite.lbl.gov/radiance/refer/filefmts.pdf). */
import { JobFailure } from '../../../../shared/errors.ts'
import { checkPixels } from '../../common/limits.ts'
import type { Pixels } from '../pixels.ts'

/** Longest header that is searched for the size of the picture. */
const HEADER_BYTES = 65_536
/** Widths whose lines may be packed by component. */
const PACKED = { least: 8, most: 32_767 }
/** A packed byte above this repeats the next one. */
const RUN = 128
/** The exponent at which a mantissa of 1 is 1/256 of white. */
const EXPONENT = 136

/** The header of a picture whose rows go from top to bottom, and each from left to right, as all programs in use write it. */
const HEADER = /^#\?(?:RADIANCE|RGBE)[^\n]*\n(?:.*\n)*?\n-Y +(\d{1,6}) +\+X +(\d{1,6})\r?\n/
const XYZ = /^FORMAT=32-bit_rle_xyze/m

/**
 * Reads RGBE as linear light.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function readHdr(file: Buffer): Pixels {
  const [header, rows, samples] = HEADER.exec(file.toString('latin1', 0, HEADER_BYTES)) ?? []
  if (header === undefined) throw new JobFailure('jobs.corrupt_input')
  if (XYZ.test(header)) throw new JobFailure('jobs.unsupported_input')
  const [width, height] = [Number(samples), Number(rows)]
  checkPixels(width, height)
  const bytes = file.subarray(header.length)
  // Runs of whole lines take at least two bytes for 127 samples.
  if (width === 0 || height === 0 || bytes.length * 256 < width * height)
    throw new JobFailure('jobs.corrupt_input')
  const data = new Float32Array(width * height * 3)
  const line = new Uint8Array(width * 4)
  let from = 0
  for (let y = 0; y < height; y++) {
    from = readLine(bytes, from, line, width)
    for (let x = 0; x < width; x++) {
      const scale = 2 ** (line[x * 4 + 3]! - EXPONENT)
      for (let channel = 0; channel < 3; channel++)
        data[(y * width + x) * 3 + channel] = line[x * 4 + channel]! * scale
    }
  }
  return { data, width, height, channels: 3 }
}

/** Reads one line into groups of four bytes. Returns where the next one begins. */
function readLine(bytes: Buffer, start: number, line: Uint8Array, width: number): number {
  const isPacked =
    width >= PACKED.least &&
    width <= PACKED.most &&
    bytes.readUInt16BE(Math.min(start, bytes.length - 2)) === 0x0202 &&
    bytes[start + 2]! * 256 + bytes[start + 3]! === width
  return isPacked ? readPacked(bytes, start + 4, line, width) : readPlain(bytes, start, line, width)
}

function readPacked(bytes: Buffer, start: number, line: Uint8Array, width: number): number {
  let from = start
  for (let channel = 0; channel < 4; channel++)
    for (let x = 0; x < width; ) {
      const code = bytes[from++] ?? 0
      const isRun = code > RUN
      const count = isRun ? code - RUN : code
      if (count === 0 || x + count > width || from + (isRun ? 1 : count) > bytes.length)
        throw new JobFailure('jobs.corrupt_input')
      for (let index = 0; index < count; index++)
        line[x++ * 4 + channel] = bytes[isRun ? from : from + index]!
      from += isRun ? 1 : count
    }
  return from
}

function readPlain(bytes: Buffer, start: number, line: Uint8Array, width: number): number {
  const end = start + 4 * width
  if (end > bytes.length) throw new JobFailure('jobs.corrupt_input')
  line.set(bytes.subarray(start, end))
  return end
}
