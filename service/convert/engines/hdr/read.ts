/** Radiance pictures (https://radsite.lbl.gov/radiance/refer/filefmts.pdf), brought to the range of ordinary screens. */
import { JobFailure } from '../../../shared/errors.ts'
import { checkPixels } from '../limits.ts'
import type { Pixels } from '../pixels.ts'

/** Longest header that is searched for the size of the picture. */
const HEADER_BYTES = 65_536
/** Widths whose lines may be packed by component. */
const PACKED = { least: 8, most: 32_767 }
/** A packed byte above this repeats the next one. */
const RUN = 128
/** The exponent at which a mantissa of 1 is 1/256 of white. */
const EXPONENT = 136

/**
 * Reads RGBE with lines from top to bottom; everything brighter than white becomes white.
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function readHdr(file: Buffer): Pixels {
  const header = file.toString('latin1', 0, HEADER_BYTES)
  const [all, , height, width] =
    /^#\?(RADIANCE|RGBE)[^\n]*\n(?:.*\n)*?\n-Y +(\d{1,6}) +\+X +(\d{1,6})\r?\n/.exec(header) ?? []
  if (all === undefined)
    throw new JobFailure(
      /\n[-+][XY] +\d+ +[-+][XY] +\d+\n/.test(header) ? 'jobs.unsupported_input' : 'jobs.corrupt_input',
    )
  if (/^FORMAT=32-bit_rle_xyze/m.test(all)) throw new JobFailure('jobs.unsupported_input')
  const size = { width: Number(width), height: Number(height) }
  checkPixels(size.width, size.height)
  if (size.width === 0 || size.height === 0) throw new JobFailure('jobs.corrupt_input')
  return { data: rgbOf(file.subarray(all.length), size), ...size, channels: 3 }
}

function rgbOf(bytes: Buffer, { width, height }: { width: number; height: number }): Uint8Array {
  // Runs of whole lines take at least two bytes for 127 samples.
  if (bytes.length * 256 < width * height) throw new JobFailure('jobs.corrupt_input')
  const data = new Uint8Array(width * height * 3)
  const line = new Uint8Array(width * 4)
  let from = 0
  for (let y = 0; y < height; y++) {
    from = readLine(bytes, from, line, width)
    for (let x = 0, at = y * width * 3; x < width; x++) {
      const exponent = line[x * 4 + 3]! << 8
      for (let channel = 0; channel < 3; channel++) data[at++] = shown[exponent | line[x * 4 + channel]!]!
    }
  }
  return data
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

/** Samples one by one; those of the oldest files repeat the one before where they are 1, 1, 1. */
function readPlain(bytes: Buffer, start: number, line: Uint8Array, width: number): number {
  let from = start
  let shift = 0
  for (let x = 0; x < width; from += 4) {
    if (from + 4 > bytes.length) throw new JobFailure('jobs.corrupt_input')
    const isRun = x > 0 && bytes[from] === 1 && bytes[from + 1] === 1 && bytes[from + 2] === 1
    if (!isRun) {
      line.set(bytes.subarray(from, from + 4), x++ * 4)
      shift = 0
      continue
    }
    const end = Math.min(width, x + bytes[from + 3]! * 2 ** shift)
    for (; x < end; x++) line.copyWithin(x * 4, (x - 1) * 4, x * 4)
    shift += 8
    if (shift > 24) throw new JobFailure('jobs.corrupt_input')
  }
  return from
}

/** Bytes of sRGB (IEC 61966-2-1) by exponent and mantissa. */
const shown = Uint8Array.from({ length: 65_536 }, (_, at) => {
  const linear = Math.min(1, (at & 255) * 2 ** ((at >> 8) - EXPONENT))
  return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055))
})
