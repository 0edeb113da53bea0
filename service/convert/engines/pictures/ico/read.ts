import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { isDamage } from '../../common/damage.ts'
import { readHeader } from '../bmp/header.ts'
import { readPalette, readSamples, rowBytes } from '../bmp/samples.ts'
import { type Pixels, withAlpha } from '../pixels.ts'

/** One picture of an icon. */
export interface IconEntry {
  width: number
  height: number
  /** Bits per pixel. */
  bits: number
  /** Decodes it; a PNG is returned as it is. Throws `JobFailure` if it is damaged. */
  read(): Pixels | { encoded: Uint8Array }
}

/** Maximum number of pictures in an icon; Windows uses about 20. */
const ENTRY_LIMIT = 1024

/** The pictures of an icon. */
export interface Icon {
  /** Largest and deepest first. */
  entries: IconEntry[]
  /** Whether the file has everything it claims to have. */
  complete: boolean
}

/**
 * Lists the pictures of an ICO or CUR file. The directory is not trusted: sizes are taken from the pictures themselves.
 * Damaged entries are left out.
 * @throws JobFailure corrupt_input if no picture is readable
 */
export function readIcon(file: Buffer): Icon {
  const entries: IconEntry[] = []
  let complete = true
  const [reserved, type, count] = file.length < 6 ? [1] : [0, 2, 4].map(offset => file.readUInt16LE(offset))
  if (reserved === 0 && (type === 1 || type === 2)) {
    for (let i = 0; i < Math.min(count ?? 0, ENTRY_LIMIT); i++) {
      const at = 6 + i * 16
      try {
        const offset = file.readUInt32LE(at + 12)
        const end = offset + file.readUInt32LE(at + 8)
        if (end > file.length) complete = false
        entries.push(entryOf(file.subarray(offset, end)))
      } catch (error) {
        if (!(isDamage(error) || error instanceof JobFailure)) throw error
        complete = false
      }
    }
  }
  if (entries.length === 0) throw new JobFailure('jobs.corrupt_input', message('ico.no_icon'))
  entries.sort((a, b) => b.width * b.height - a.width * a.height || b.bits - a.bits)
  return { entries, complete }
}

const PNG_START = 0x89504e47

function entryOf(data: Buffer): IconEntry {
  if (data.readUInt32BE(0) === PNG_START) {
    // IHDR: samples per pixel by colour type, times bits per sample.
    const samples = [1, 0, 3, 1, 2, 0, 4][data[25] ?? 0] ?? 1
    const bits = (data[24] ?? 8) * samples
    const width = data.readUInt32BE(16)
    const height = data.readUInt32BE(20)
    if (!width || !height) throw new JobFailure('jobs.corrupt_input')
    return { width, height, bits, read: () => ({ encoded: data }) }
  }
  const { width, height, bits } = readHeader(data, 0, true)
  return {
    width,
    height,
    bits,
    read: () => {
      try {
        return readBitmap(data)
      } catch (error) {
        throw isDamage(error) ? new JobFailure('jobs.corrupt_input', undefined, { cause: error }) : error
      }
    },
  }
}

/** A bitmap without file header, followed by a mask with one bit per pixel: 1 is transparent. */
function readBitmap(data: Buffer): Pixels {
  const header = readHeader(data, 0, true)
  const { width, height, bits, palette, topDown } = header
  if (header.compression !== 'none') throw new JobFailure('jobs.unsupported_input')
  const samples = palette.offset + palette.count * palette.entryBytes
  const { pixels, complete } = readSamples(data, samples, header, readPalette(data, 0, header, data.length))
  // Another picture of the icon may be complete.
  if (!complete) throw new JobFailure('jobs.corrupt_input')
  // A picture with its own alpha needs no mask.
  if (pixels.channels === 4) return pixels
  const mask = samples + rowBytes(width, bits) * height
  const stride = rowBytes(width, 1)
  const rgba = withAlpha(pixels.data)
  for (let y = 0; y < height; y++) {
    const row = mask + (topDown ? y : height - 1 - y) * stride
    for (let x = 0; x < width; x++) {
      const isHidden = ((data[row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      if (isHidden) rgba[(y * width + x) * 4 + 3] = 0
    }
  }
  return { data: rgba, width, height, channels: 4 }
}
