/** Describes FLAC files without starting ffmpeg, and counts the samples that are there (RFC 9639). */
import { type FileHandle, open } from 'node:fs/promises'
import { readAt } from '../../common/read-at.ts'
import { OLD_ID3_BYTES, type TrackNumbers } from '../id3.ts'
import { COMMENTS, endOfBlocks, readBlocks, STREAM_INFO } from './blocks.ts'
import { crc16, type FrameHeader, frameHeaderAt } from './frame.ts'

export interface Flac {
  sampleRate: number
  channels: number
  /** Bits of a sample. */
  bits: number
  /** Samples per channel according to the header; null if it does not say. */
  promised: number | null
  /** Samples per channel that are present according to the last frame; null if it was not found. */
  present: number | null
  /** The comments with track and disc numbers, as written: TagLib drops the total of "3/12". */
  tags: TrackNumbers
  /** Whether ffmpeg (5 and newer) can read it. */
  plain: boolean
}

/** How many bytes are searched for the first frame if its position is unknown. */
const SEARCH_BYTES = 1 << 20

interface StreamInfo {
  blockSize: number
  sampleRate: number
  channels: number
  bits: number
  samples: number
}

/** Describes a file from its header and first frame; null if it contains no FLAC frame. */
export async function readFlac(path: string): Promise<Flac | null> {
  await using file = await open(path, 'r')
  const { info, first, end, tags } = await metadata(file)
  const bytes = await readAt(file, end, SEARCH_BYTES)
  const found = firstFrame(bytes)
  if (!found) return null
  const { header, offset } = found
  const sampleRate = header.sampleRate ?? info?.sampleRate
  const bits = header.bits ?? info?.bits
  if (!sampleRate || !bits) return null
  const { channels } = header
  const promised = info && info.samples > 0 ? info.samples : null
  const present = await endOf(file, header, { sampleRate, bits })
  const agrees =
    info !== null &&
    first &&
    offset === 0 &&
    info.blockSize >= Math.max(16, header.blockSize) &&
    info.sampleRate === sampleRate &&
    info.channels === channels &&
    info.bits === bits
  return {
    ...{ sampleRate, channels, bits, promised, present, tags },
    plain: agrees && bits <= 24,
  }
}

/** What the metadata blocks say, as far as there are any. */
async function metadata(
  file: FileHandle,
): Promise<{ info: StreamInfo | null; first: boolean; end: number; tags: Flac['tags'] }> {
  const { start, blocks } = await readBlocks(file)
  let tags: Flac['tags'] = {}
  if (!blocks) return { info: null, first: false, end: start, tags }
  const infos = blocks.filter(({ kind, length }) => kind === STREAM_INFO.kind && length === STREAM_INFO.bytes)
  const content = infos[0] && (await readAt(file, infos[0].start, STREAM_INFO.bytes))
  for (const block of blocks) {
    if (block.kind === COMMENTS)
      tags = numbersOf(await readAt(file, block.start, Math.min(block.length, COMMENTS_BYTES)))
  }
  return {
    info: content?.length === STREAM_INFO.bytes ? streamInfo(content) : null,
    first: infos[0] !== undefined && infos[0] === blocks[0],
    end: endOfBlocks(start, blocks),
    tags,
  }
}

/** How many bytes of comments are searched. */
const COMMENTS_BYTES = 1 << 18

/** Finds track and disc numbers in Vorbis comments (section 8.6): the program's name, then each comment. */
function numbersOf(block: Buffer): Flac['tags'] {
  const tags: Flac['tags'] = {}
  const sizeAt = (at: number) => (at + 4 <= block.length ? block.readUInt32LE(at) : Number.POSITIVE_INFINITY)
  for (let at = 8 + sizeAt(0); at + 4 <= block.length; at += 4 + sizeAt(at)) {
    const comment = block.toString('utf8', at + 4, Math.min(at + 4 + sizeAt(at), at + 64))
    const [, key, value] = /^(TRACKNUMBER|DISCNUMBER)=(\d+\/\d+)$/i.exec(comment) ?? []
    if (key && value) tags[/^t/i.test(key) ? 'track' : 'disc'] = value
  }
  return tags
}

/** Reads STREAMINFO (section 8.2). */
function streamInfo(block: Buffer): StreamInfo {
  const packed = block.readUInt32BE(10)
  return {
    blockSize: block.readUInt16BE(2),
    sampleRate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
    samples: (packed & 15) * 2 ** 32 + block.readUInt32BE(14),
  }
}

function firstFrame(bytes: Buffer): { header: FrameHeader; offset: number } | null {
  for (let offset = bytes.indexOf(0xff); offset >= 0; offset = bytes.indexOf(0xff, offset + 1)) {
    const header = frameHeaderAt(bytes, offset)
    if (header) return { header, offset }
  }
  return null
}

/** How many bytes at the end are searched for the last frame. */
const TAIL_BYTES = 1 << 18

/** Samples per channel up to the end of the last whole frame, which ends with the file, its ID3 tag or the frame after it. */
async function endOf(
  file: FileHandle,
  first: FrameHeader,
  { sampleRate, bits }: { sampleRate: number; bits: number },
): Promise<number | null> {
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES)
  const ends = [tail.length, tail.length - OLD_ID3_BYTES]
  for (
    let offset = tail.lastIndexOf(0xff);
    offset >= 0;
    offset = offset > 0 ? tail.lastIndexOf(0xff, offset - 1) : -1
  ) {
    const header = frameHeaderAt(tail, offset)
    if (!header || header.channels !== first.channels || header.isVariable !== first.isVariable) continue
    if ((header.sampleRate ?? sampleRate) !== sampleRate || (header.bits ?? bits) !== bits) continue
    const isWhole = ends.some(
      end => end > offset + header.bytes + 2 && crc16(tail, offset, end - 2) === tail.readUInt16BE(end - 2),
    )
    ends.push(offset)
    if (!isWhole) continue
    const before = (header.number - first.number) * (header.isVariable ? 1 : first.blockSize)
    if (before >= 0) return before + header.blockSize
  }
  return null
}
