/**
 * Reads the header of a WAV file (RIFF, and RF64 according to EBU Tech 3306), which saves starting a program and gives
 * what ffmpeg does not: how much audio the header claims.
 */
import { open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { ID3_BYTES, id3Numbers, type TrackNumbers } from '../id3.ts'
import { labelsOf, MARKS_BYTES, type Mark, marksOf, positionsOf } from './marks.ts'

export interface Wav {
  sampleRate: number
  channels: 1 | 2
  bits: 8 | 16 | 24 | 32 | 64
  float: boolean
  /** Samples per channel according to the header; null if it was written before they were known. */
  promised: number | null
  /** Samples per channel that are present. */
  present: number
  /** Track and disc numbers from its ID3 tag or its own tag list: TagLib drops the total of "3/12". */
  tags: TrackNumbers
  marks: Mark[]
}

/** Maximum number of chunks before the audio. */
const CHUNK_LIMIT = 1000

/** Marks a size that is stored elsewhere or was never written. */
const UNKNOWN = 0xffff_ffff

/** Describes a plain WAV file with one or two channels; null for any other, which is left to ffmpeg. */
export async function readWav(path: string): Promise<Wav | null> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const head = await readAt(file, 0, 12)
  const mark = head.toString('latin1', 0, 4)
  if (!/^(RIFF|RF64|BW64)$/.test(mark) || head.toString('latin1', 8, 12) !== 'WAVE') return null
  let format: Format | null = null
  let length: Pick<Wav, 'promised' | 'present'> | null = null
  let longBytes: number | null = null
  let tags: TrackNumbers = {}
  let positions = new Map<number, number>()
  let labels = new Map<number, string>()
  let at = 12
  for (let count = 0; count < CHUNK_LIMIT; count++) {
    const chunk = await readAt(file, at, 8 + 40)
    if (chunk.length < 8) break
    const [kind, shortBytes] = [chunk.toString('latin1', 0, 4), chunk.readUInt32LE(4)]
    let bytes = shortBytes
    const content = chunk.subarray(8, 8 + bytes)
    if (kind === 'fmt ') {
      format = formatOf(content)
      if (!format) return null
    } else if (kind === 'ds64' && content.length >= 16) {
      longBytes = Number(content.readBigUInt64LE(8))
    } else if (kind === 'LIST' && content.toString('latin1', 0, 4) === 'INFO') {
      const track = trackOf(await readAt(file, at + 12, Math.max(0, Math.min(bytes - 4, INFO_BYTES))))
      tags = { ...(track === null ? {} : { track }), ...tags }
    } else if (kind === 'LIST' && content.toString('latin1', 0, 4) === 'adtl') {
      labels = labelsOf(await readAt(file, at + 12, Math.min(bytes, MARKS_BYTES)))
    } else if (kind === 'cue ') {
      positions = positionsOf(await readAt(file, at + 8, Math.min(bytes, MARKS_BYTES)))
    } else if (/^id3 $/i.test(kind)) {
      tags = { ...tags, ...id3Numbers(await readAt(file, at + 8, Math.min(bytes, ID3_BYTES))) }
    } else if (kind === 'data') {
      if (!format || length) return null
      // Programs that write to a pipe leave the size empty or at a placeholder.
      const promised = bytes !== UNKNOWN ? bytes : mark === 'RIFF' ? null : longBytes
      length = lengthOf(format, promised, size - at - 8)
      bytes = promised ?? size
    }
    at += 8 + bytes + (bytes % 2)
  }
  return format && length ? { ...format, ...length, tags, marks: marksOf(positions, labels) } : null
}

/** Number of samples according to the header's size, and the number that are present. */
function lengthOf(
  { channels, bits }: Format,
  promised: number | null,
  there: number,
): Pick<Wav, 'promised' | 'present'> {
  const whole = (bytes: number) => Math.floor(bytes / ((channels * bits) / 8))
  // An empty chunk with data after it was never filled in.
  if (promised === null || (promised === 0 && there > 0)) return { promised: null, present: whole(there) }
  return { promised: whole(promised), present: whole(Math.min(there, promised)) }
}

/** How many bytes of a tag list are searched. */
const INFO_BYTES = 1 << 16

/** The track number, under either of its usual names. */
function trackOf(list: Buffer): string | null {
  for (let at = 0; at + 8 <= list.length; ) {
    const bytes = list.readUInt32LE(at + 4)
    const value = list.toString('latin1', at + 8, at + 8 + Math.min(bytes, 32)).replace(/\0.*$/s, '')
    if (/^(IPRT|ITRK)$/.test(list.toString('latin1', at, at + 4))) return value
    at += 8 + bytes + (bytes % 2)
  }
  return null
}

type Format = Pick<Wav, 'sampleRate' | 'channels' | 'bits' | 'float'>

/** Reads the chunk `fmt `: WAVEFORMATEX, or WAVEFORMATEXTENSIBLE, whose format is in a GUID. */
function formatOf(content: Buffer): Format | null {
  if (content.length < 16) return null
  const [tag, channels, sampleRate] = [
    content.readUInt16LE(0),
    content.readUInt16LE(2),
    content.readUInt32LE(4),
  ]
  const [frameBytes, bits] = [content.readUInt16LE(12), content.readUInt16LE(14)]
  const extended = tag === 0xfffe && content.length >= 40
  const kind = extended ? content.readUInt16LE(24) : tag
  // Samples that do not fill their bytes, and unusual speaker orders, are left to ffmpeg.
  const usual = extended
    ? content.readUInt16LE(18) === bits && content.readUInt32LE(20) === (channels === 1 ? 4 : 3)
    : true
  const float = kind === 3 && (bits === 32 || bits === 64)
  const integer = kind === 1 && (bits === 8 || bits === 16 || bits === 24 || bits === 32)
  if (!usual || !(float || integer) || (channels !== 1 && channels !== 2)) return null
  if (sampleRate < 1 || sampleRate > 1_000_000 || frameBytes !== (channels * bits) / 8) return null
  return { sampleRate, channels, bits, float }
}
