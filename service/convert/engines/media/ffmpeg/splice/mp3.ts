/**
 * Joins MP3 files whose frames do not share bits (encoded with the bit reservoir off), at frame boundaries, under a new
 * Xing header. Frame header: ISO/IEC 11172-3, 2.4.1.3; Xing and LAME header: the "MP3 Info Tag revision 1
 * specification" of the LAME project.
 */
import { open } from 'node:fs/promises'
import { blocksOf, CannotJoinError, type EncodedPart } from './blocks.ts'

const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const rates = [44_100, 48_000, 32_000]

/** Offsets in the header: counts and table after the word "Xing", then LAME's additions. */
const FRAMES = 8
const BYTES = 12
const TABLE = 16
const LAME = 120
const PADDING = LAME + 21
const MUSIC_BYTES = LAME + 28
const MUSIC_CRC = LAME + 32
const TAG_CRC = LAME + 34

/** Frames between two positions in the seek table. */
const SEEK_STEP_FRAMES = 16

const frameSizeAt = (bytes: Buffer, offset: number): number =>
  offset + 4 > bytes.length ? Number.NaN : frameSize(bytes.readUInt32BE(offset))

/** Length in bytes of the Layer III frame that begins with these four bytes; 0 if they do not begin one. */
export function frameSize(header: number): number {
  const version = (header >>> 19) & 3
  const rate = rates[(header >>> 10) & 3]
  const kilobits = bitrates[version === 3 ? 1 : 2][(header >>> 12) & 15]
  if (header >>> 21 !== 0x7ff || version === 1 || !rate || !kilobits || ((header >>> 17) & 3) !== 1) return 0
  const padding = (header >>> 9) & 1
  // Version 2 halves the rate and the frame, version 2.5 halves the rate again.
  if (version === 3) return Math.floor((144_000 * kilobits) / rate) + padding
  return Math.floor((72_000 * kilobits) / (rate / (version === 2 ? 2 : 4))) + padding
}

/** Samples per channel in a frame at a sample rate. */
export const mp3FrameSamples = (sampleRate: number): number => (sampleRate >= 32_000 ? 1152 : 576)

function headerAt(frame: Buffer): number {
  const at = Math.max(frame.indexOf('Xing', 0, 'latin1'), frame.indexOf('Info', 0, 'latin1'))
  if (at < 0 || at > 64 || frame.length < at + TAG_CRC + 2) throw new Error('no Xing header')
  return at
}

/**
 * Joins parts of one media file, each of which starts with a frame containing its Xing header. The delay at the start is
 * the first part's, the padding at the end the last one's.
 * @throws Error if a part does not start with a Xing header; `CannotJoinError` if it lacks samples
 */
export async function joinMp3(parts: readonly EncodedPart[], output: string): Promise<void> {
  await using file = await open(output, 'w')
  const headers: Buffer[] = []
  const sound = { frames: 0, bytes: 0, crc: 0, positions: [] as number[] }
  for (const { path, skip, take = Number.POSITIVE_INFINITY, samples } of parts) {
    // The header's own frame is number 0.
    const [first, end] = [1 + skip, 1 + skip + take]
    let number = 0
    for await (const { bytes, bounds } of blocksOf(path, frameSizeAt)) {
      const count = bounds.length - 1
      if (number === 0) {
        const header = Buffer.from(bytes.subarray(0, bounds[1] ?? 0))
        headers.push(header)
        if (samples !== undefined && samplesOf(header) !== samples) throw new CannotJoinError()
        // Rewritten at the end, when its numbers are known.
        if (headers.length === 1) await file.writeFile(header)
      }
      const from = Math.min(count, Math.max(0, first - number))
      const to = Math.max(from, Math.min(count, end - number))
      const start = bounds[from] as number
      for (let index = from; index < to; index++) {
        if (sound.frames % SEEK_STEP_FRAMES === 0)
          sound.positions.push(sound.bytes + (bounds[index] as number) - start)
        sound.frames++
      }
      const piece = bytes.subarray(start, bounds[to])
      sound.crc = crc16(sound.crc, piece)
      sound.bytes += piece.length
      await file.writeFile(piece)
      number += count
      if (number >= end) break
    }
  }
  const header = headerOf(headers, sound)
  await file.write(header, 0, header.length, 0)
}

/** Samples per channel without the padding, according to the header. */
function samplesOf(header: Buffer): number {
  const at = headerAt(header)
  const silence = header.readUIntBE(at + PADDING, 3)
  const frame = ((header[1] as number) >> 3) & 1 ? 1152 : 576
  return header.readUInt32BE(at + FRAMES) * frame - (silence >> 12) - (silence & 0xfff)
}

/** The first part's header with the numbers of the whole file. */
function headerOf(
  headers: readonly Buffer[],
  { frames, bytes, crc, positions }: { frames: number; bytes: number; crc: number; positions: number[] },
): Buffer {
  const header = Buffer.from(headers[0] as Buffer)
  const last = headers.at(-1) as Buffer
  const at = headerAt(header)
  const total = header.length + bytes
  header.writeUInt32BE(frames, at + FRAMES)
  header.writeUInt32BE(total % 2 ** 32, at + BYTES)
  for (let percent = 0; percent < 100; percent++) {
    const position = header.length + (positions[Math.floor((percent * frames) / 100 / SEEK_STEP_FRAMES)] ?? 0)
    header[at + TABLE + percent] = Math.min(255, Math.floor((position * 256) / total))
  }
  // Twelve bits of delay and twelve of padding.
  const tail = headerAt(last) + PADDING
  header[at + PADDING + 1] =
    ((header[at + PADDING + 1] as number) & 0xf0) | ((last[tail + 1] as number) & 0x0f)
  header[at + PADDING + 2] = last[tail + 2] as number
  header.writeUInt32BE(total % 2 ** 32, at + MUSIC_BYTES)
  header.writeUInt16BE(crc, at + MUSIC_CRC)
  header.writeUInt16BE(crc16(0, header.subarray(0, at + TAG_CRC)), at + TAG_CRC)
  return header
}

const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xa001 : value >>> 1
  return value
})

/** CRC-16 with the polynomial 0x8005, bits reversed. */
function crc16(start: number, bytes: Buffer): number {
  let value = start
  for (let index = 0; index < bytes.length; index++) {
    value = (value >>> 8) ^ (crcTable[(value ^ (bytes[index] as number)) & 255] as number)
  }
  return value
}
