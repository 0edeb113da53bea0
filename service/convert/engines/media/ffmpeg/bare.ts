/** Distinguishes MP3 and AAC frames without a container, which ffmpeg may confuse. */
import { open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { tagEnd } from '../id3.ts'
import { frameSize } from './splice/mp3.ts'

/** Number of consecutive frames required to confirm a format. */
const FRAMES = 3

/** Bytes that are searched after an ID3 tag: enough for this many AAC frames. */
const HEAD_BYTES = 32_768

/** The demuxer for a file that begins with frames of its declared format; null if it does not. */
export async function bareDemuxer(path: string, format: string | undefined): Promise<'mp3' | 'aac' | null> {
  if (format !== 'mp3' && format !== 'aac') return null
  await using file = await open(path, 'r')
  const head = await readAt(file, await tagEnd(file), HEAD_BYTES)
  const lengthAt =
    format === 'mp3' ? (bytes: Buffer, offset: number) => frameSize(bytes.readUInt32BE(offset)) : aacLength
  let at = 0
  for (let count = 0; count < FRAMES; count++) {
    const length = at + 6 <= head.length ? lengthAt(head, at) : 0
    if (length === 0) return null
    at += length
  }
  return format
}

/** Whether a file is legal, but of a kind that ffmpeg cannot decode: MP3 of free format, or AAC with an ADIF header. */
export async function isUndecodable(path: string, format: string | undefined): Promise<boolean> {
  if (format !== 'mp3' && format !== 'aac') return false
  await using file = await open(path, 'r')
  if (format === 'aac') return (await readAt(file, 0, 4)).toString('latin1') === 'ADIF'
  const frame = await readAt(file, await tagEnd(file), 4)
  // A frame of free format has 0 in place of its bit rate (ISO/IEC 11172-3, 2.4.2.3).
  return (
    frame.length >= 4 && (frame[2] as number) >>> 4 === 0 && frameSize(frame.readUInt32BE(0) | 0x1000) > 0
  )
}

/** Length of an ADTS frame in bytes (ISO/IEC 13818-7, 6.2). */
function aacLength(bytes: Buffer, at: number): number {
  if ((bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return 0
  return (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff
}
