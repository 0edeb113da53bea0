/** Tells bare frames of MP3 and AAC apart, which have no container and which ffmpeg may take for one another. */
import { open } from 'node:fs/promises'
import { synchsafeAt } from '../formats/id3.ts'
import { readAt } from '../formats/iso-boxes-in-file.ts'
import { frameSize } from './splice/mp3.ts'

/** Frames that have to follow each other for a file to be what its name says. */
const FRAMES = 3

/** Bytes behind an ID3 tag that are looked at: more than so many frames of AAC. */
const HEAD_BYTES = 32_768

/** The demuxer of a file that begins with frames of the format it is said to be; null when it does not. */
export async function bareDemuxer(path: string, format: string | undefined): Promise<'mp3' | 'aac' | null> {
  if (format !== 'mp3' && format !== 'aac') return null
  const file = await open(path, 'r')
  try {
    const tag = await readAt(file, 0, 10)
    const isTag = tag.length === 10 && tag.toString('latin1', 0, 3) === 'ID3'
    const size = isTag ? 10 + synchsafeAt(tag, 6) : 0
    const head = await readAt(file, size, HEAD_BYTES)
    const lengthAt =
      format === 'mp3' ? (bytes: Buffer, offset: number) => frameSize(bytes.readUInt32BE(offset)) : aacLength
    let at = 0
    for (let count = 0; count < FRAMES; count++) {
      const length = at + 6 <= head.length ? lengthAt(head, at) : 0
      if (length === 0) return null
      at += length
    }
    return format
  } finally {
    await file.close()
  }
}

/** Bytes of a frame of ADTS (ISO/IEC 13818-7, 6.2). */
function aacLength(bytes: Buffer, at: number): number {
  if ((bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return 0
  return (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff
}
