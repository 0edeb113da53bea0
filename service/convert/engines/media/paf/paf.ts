/**
 * Reads Ensoniq PARIS audio files, whose 24-bit variant ffmpeg cannot decode. Format according to libsndfile's paf.c: a
 * header of 2048 bytes that starts with ` paf` (big-endian numbers) or `fap ` (little-endian), followed by version,
 * sample byte order, sample rate, sample format and channels, 32 bits each; then the samples.
 */
import { open } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { readAt } from '../../common/read-at.ts'

export interface Paf {
  sampleRate: number
  channels: number
  bits: 8 | 16 | 24
  /** Samples of each channel. */
  frames: number
  /** Yields interleaved, signed, little-endian samples of `bits` bits. */
  samples(): AsyncGenerator<Uint8Array>
}

const HEADER_BYTES = 2048

/** 24-bit samples are stored in blocks: for each channel 10 samples and 2 unused bytes. */
const BLOCK_FRAMES = 10
const BLOCK_BYTES = 32

/** Maximum number of channels, as in libsndfile. */
const CHANNEL_LIMIT = 1024

/** Bytes read at a time, rounded down to whole frames. */
const CHUNK_BYTES = 1 << 18

const depths = [16, 24, 8] as const

interface Layout {
  bits: 8 | 16 | 24
  channels: number
  bigEndian: boolean
  /** Bytes that belong together: a frame, or a block of 24-bit frames. */
  unit: number
}

/** @throws JobFailure `corrupt_input` if it is not a PARIS file, `unsupported_input` for an unknown encoding */
export async function readPaf(path: string): Promise<Paf> {
  await using file = await open(path, 'r')
  const header = await readAt(file, 0, 24)
  const mark = header.toString('latin1', 0, 4)
  if (header.length < 24 || (mark !== ' paf' && mark !== 'fap ')) throw new JobFailure('jobs.corrupt_input')
  const word = (at: number) => (mark === ' paf' ? header.readUInt32BE(at) : header.readUInt32LE(at))
  const [version, little, sampleRate] = [word(4), word(8), word(12)]
  const [format, channels] = [word(16), word(20)]
  const bits = depths[format]
  if (version !== 0 || bits === undefined) throw new JobFailure('jobs.unsupported_input')
  if (channels < 1 || channels > CHANNEL_LIMIT || sampleRate < 1 || sampleRate > 1_000_000) {
    throw new JobFailure('jobs.corrupt_input')
  }
  const unit = bits === 24 ? BLOCK_BYTES * channels : (bits / 8) * channels
  const bytes = Math.max(0, (await file.stat()).size - HEADER_BYTES)
  // An incomplete block counts too; its missing samples become silence.
  const frames = bits === 24 ? Math.ceil(bytes / unit) * BLOCK_FRAMES : Math.floor(bytes / unit)
  const layout: Layout = { bits, channels, bigEndian: little === 0, unit }
  return { sampleRate, channels, bits, frames, samples: () => samples(path, layout) }
}

async function* samples(path: string, layout: Layout): AsyncGenerator<Uint8Array> {
  const { unit, bits, bigEndian } = layout
  await using file = await open(path, 'r')
  const size = Math.max(1, Math.floor(CHUNK_BYTES / unit)) * unit
  for (let position = HEADER_BYTES; ; position += size) {
    const chunk = await readAt(file, position, size)
    const whole = bits === 24 ? Math.ceil(chunk.length / unit) : Math.floor(chunk.length / unit)
    // The memory after a short chunk is zero, which completes a truncated block.
    const data = Buffer.from(chunk.buffer, chunk.byteOffset, whole * unit)
    if (data.length === 0) return
    if (bits === 24) yield unpack(bigEndian ? data.swap32() : data, layout.channels)
    else yield bits === 16 && bigEndian ? data.swap16() : data
    if (chunk.length < size) return
  }
}

/** Extracts the 24-bit samples from their blocks, which have been converted to little-endian words. */
function unpack(blocks: Buffer, channels: number): Uint8Array {
  const count = blocks.length / (BLOCK_BYTES * channels)
  const out = new Uint8Array(count * BLOCK_FRAMES * channels * 3)
  let to = 0
  for (let block = 0; block < count; block++) {
    for (let frame = 0; frame < BLOCK_FRAMES; frame++) {
      for (let channel = 0; channel < channels; channel++) {
        const from = (block * channels + channel) * BLOCK_BYTES + 3 * frame
        out[to++] = blocks[from] as number
        out[to++] = blocks[from + 1] as number
        out[to++] = blocks[from + 2] as number
      }
    }
  }
  return out
}
