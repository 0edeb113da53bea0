/** Radiance pictures (https://radsite.lbl.gov/radiance/refer/filefmts.pdf), brought to the range of ordinary screens. */
import { JobFailure } from '../../../../shared/errors.ts'
import { checkPixels } from '../../common/limits.ts'
import { signalOf } from '../../common/srgb.ts'
import type { Pixels } from '../pixels.ts'

/** Longest header that is searched for the size of the picture. */
const HEADER_BYTES = 65_536
/** Widths whose lines may be packed by component. */
const PACKED = { least: 8, most: 32_767 }
/** A packed byte above this repeats the next one. */
const RUN = 128
/** The exponent at which a mantissa of 1 is 1/256 of white. */
const EXPONENT = 136

/** The order of the samples: first the axis from line to line, then that along a line; rows are counted upwards. */
const ORDER =
  /^#\?(?:RADIANCE|RGBE)[^\n]*\n(?:.*\n)*?\n([-+])([XY]) +(\d{1,6}) +([-+])(?!\2)[XY] +(\d{1,6})\r?\n/

/** How the samples of a file lie in the picture. */
interface Order {
  lines: number
  /** Samples of a line. */
  samples: number
  /** Where the first pixel lies, and how far it is to the next line and the next sample, in pixels. */
  origin: number
  line: number
  sample: number
}

/**
 * Reads RGBE and XYZE in any order of samples; everything brighter than white becomes white.
 * @throws JobFailure corrupt_input, too_large
 */
export function readHdr(file: Buffer): Pixels {
  const [all, lineSign, lineAxis, lines, sampleSign, samples] =
    ORDER.exec(file.toString('latin1', 0, HEADER_BYTES)) ?? []
  if (all === undefined) throw new JobFailure('jobs.corrupt_input')
  const count = { lines: Number(lines), samples: Number(samples) }
  const [height, width] = lineAxis === 'Y' ? [count.lines, count.samples] : [count.samples, count.lines]
  const [ySign, xSign] = lineAxis === 'Y' ? [lineSign, sampleSign] : [sampleSign, lineSign]
  checkPixels(width, height)
  if (width === 0 || height === 0) throw new JobFailure('jobs.corrupt_input')
  const [x, y] = [xSign === '+' ? 1 : -1, ySign === '-' ? width : -width]
  const origin = (x < 0 ? width - 1 : 0) + (y < 0 ? width * (height - 1) : 0)
  const order = { ...count, origin, ...(lineAxis === 'Y' ? { line: y, sample: x } : { line: x, sample: y }) }
  const show = /^FORMAT=32-bit_rle_xyze/m.test(all) ? showXyz : showRgb
  return { data: rgbOf(file.subarray(all.length), order, show), width, height, channels: 3 }
}

function rgbOf(bytes: Buffer, { lines, samples, origin, ...step }: Order, show: typeof showRgb): Uint8Array {
  // Runs of whole lines take at least two bytes for 127 samples.
  if (bytes.length * 256 < lines * samples) throw new JobFailure('jobs.corrupt_input')
  const data = new Uint8Array(lines * samples * 3)
  const line = new Uint8Array(samples * 4)
  let from = 0
  for (let index = 0; index < lines; index++) {
    from = readLine(bytes, from, line, samples)
    const start = origin + index * step.line
    for (let x = 0; x < samples; x++) show(line, x * 4, data, (start + x * step.sample) * 3)
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

/** A byte of sRGB (IEC 61966-2-1) for linear light. */
const srgb = (light: number) => Math.round(255 * signalOf(Math.min(1, Math.max(0, light))))

/** The light of an exponent and a mantissa. */
const light = (exponent: number, mantissa: number) => mantissa * 2 ** (exponent - EXPONENT)

/** Bytes of sRGB by exponent and mantissa. */
const shown = Uint8Array.from({ length: 65_536 }, (_, at) => srgb(light(at >> 8, at & 255)))

function showRgb(line: Uint8Array, from: number, data: Uint8Array, to: number): void {
  const exponent = line[from + 3]! << 8
  for (let channel = 0; channel < 3; channel++) data[to + channel] = shown[exponent | line[from + channel]!]!
}

/** From XYZ to the primaries of Radiance, whose white has equal X, Y and Z (its src/common/color.h). */
const FROM_XYZ = [
  [2.565313, -1.16685, -0.398463],
  [-1.022108, 1.978287, 0.043822],
  [0.074724, -0.25194, 1.177215],
] as const

function showXyz(line: Uint8Array, from: number, data: Uint8Array, to: number): void {
  const unit = light(line[from + 3]!, 1)
  for (const [channel, [x, y, z]] of FROM_XYZ.entries())
    data[to + channel] = srgb(unit * (x * line[from]! + y * line[from + 1]! + z * line[from + 2]!))
}
