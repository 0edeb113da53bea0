/** Detects truncated files by the sizes in their container, since ffmpeg silently ignores truncation. */
import { type FileHandle, open } from 'node:fs/promises'
import { isDamage } from '../../common/damage.ts'
import { boxesBetween } from '../../common/iso-file-boxes.ts'
import { readAt } from '../../common/read-at.ts'

/** Some programs miscount the size of what they write by this much. */
const TOLERANCE_BYTES = 16

/** How many parts of a container are followed at most. */
const PART_LIMIT = 4096

/** A GUID of ASF as the bytes in a file. */
export const asf = (guid: string): Buffer => Buffer.from(guid, 'hex')
export const ASF_HEADER = asf('3026b2758e66cf11a6d900aa0062ce6c')
const ASF_FILE = asf('a1dcab8c47a9cf118ee400c00c205365')

/** Whether a file consists of boxes, as MP4 and MOV do, by one that comes first. */
export const isOfBoxes = (head: Buffer): boolean =>
  /^(ftyp|moov|mdat|wide|free|skip)$/.test(head.toString('latin1', 4, 8))

/** Whether a container says that it continues beyond the end of the file, or was never finished. */
export async function isCutOff(path: string): Promise<boolean> {
  await using file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const head = await readAt(file, 0, 64)
    const mark = head.toString('latin1', 0, 4)
    if (mark === 'RIFF') return await riffIsCutOff(file, size)
    if (mark === 'caff') return await cafIsCutOff(file, size)
    if (mark === 'OggS') return await oggIsCutOff(file)
    if (head.readUInt32BE(0) === 0x1a45dfa3) return await matroskaIsCutOff(file, size)
    if (head.subarray(0, 16).equals(ASF_HEADER)) return await asfIsCutOff(file, size)
    if (isOfBoxes(head)) return await mp4IsCutOff(file, size)
    return false
  } catch (error) {
    // The header is too short to be read.
    if (isDamage(error)) return false
    throw error
  }
}

/** Long AVI files consist of several consecutive RIFFs. */
async function riffIsCutOff(file: FileHandle, size: number): Promise<boolean> {
  let at = 0
  for (let count = 0; count < PART_LIMIT && at + 8 <= size; count++) {
    const head = await readAt(file, at, 8)
    if (head.toString('latin1', 0, 4) !== 'RIFF') return false
    const bytes = head.readUInt32LE(4)
    if (bytes === 0 || bytes === 0xffff_ffff) return false
    at += 8 + bytes + (bytes % 2)
  }
  return at > size + TOLERANCE_BYTES
}

/** Chunks after the header, of which only the last may have no size (Core Audio Format specification, "CAF File Overview"). */
async function cafIsCutOff(file: FileHandle, size: number): Promise<boolean> {
  let at = 8
  for (let count = 0; count < PART_LIMIT && at + 12 <= size; count++) {
    const bytes = (await readAt(file, at, 12)).readBigInt64BE(4)
    if (bytes < 0n) return false
    at += 12 + Number(bytes)
  }
  return at > size + TOLERANCE_BYTES
}

async function mp4IsCutOff(file: FileHandle, size: number): Promise<boolean> {
  // Anything else that does not end is garbage after the content.
  for await (const { type, whole } of boxesBetween(file, 0, size))
    if (!whole && /^(mdat|moov|moof)$/.test(type)) return true
  return false
}

/** More than the longest Ogg page. */
const OGG_TAIL_BYTES = 1 << 17

/** The end of a file from its last Ogg page on; empty without one. */
export async function lastOggPage(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - OGG_TAIL_BYTES), OGG_TAIL_BYTES)
  const at = tail.lastIndexOf('OggS', undefined, 'latin1')
  return tail.subarray(at < 0 ? tail.length : at)
}

/** Size of the Ogg page whose header this is (RFC 3533, section 6). */
export const oggPageBytes = (page: Buffer): number =>
  page.subarray(27, 27 + page.readUInt8(26)).reduce((sum, length) => sum + length, 27 + page.readUInt8(26))

/** The last page must be marked as such and be complete. */
async function oggIsCutOff(file: FileHandle): Promise<boolean> {
  const page = await lastOggPage(file)
  return page.length < 27 || oggPageBytes(page) > page.length || (page.readUInt8(5) & 4) === 0
}

/** The segment, after the EBML header, has a size unless it was streamed (RFC 8794, section 6). */
async function matroskaIsCutOff(file: FileHandle, size: number): Promise<boolean> {
  const header = await elementAt(file, 0)
  const segment = header?.end ? await elementAt(file, header.end) : null
  return segment?.id === 0x18538067 && segment.end !== null && segment.end > size + TOLERANCE_BYTES
}

/** An element's id and end; null if unknown. */
async function elementAt(file: FileHandle, at: number): Promise<{ id: number; end: number | null } | null> {
  const head = await readAt(file, at, 16)
  const idBytes = Math.clz32(head[0] ?? 0) - 23
  const sizeBytes = Math.clz32(head[idBytes] ?? 0) - 23
  if (idBytes > 4 || sizeBytes > 8 || head.length < idBytes + sizeBytes) return null
  let size = (head[idBytes] as number) & (0xff >> sizeBytes)
  let unknown = size === 0xff >> sizeBytes
  for (const byte of head.subarray(idBytes + 1, idBytes + sizeBytes)) {
    size = size * 256 + byte
    unknown &&= byte === 0xff
  }
  return { id: head.readUIntBE(0, idBytes), end: unknown ? null : at + idBytes + sizeBytes + size }
}

/** The File Properties object in the header contains the file's size unless it was broadcast (ASF specification, 3.2). */
async function asfIsCutOff(file: FileHandle, size: number): Promise<boolean> {
  let at = 30
  for (let count = 0; count < PART_LIMIT; count++) {
    const head = await readAt(file, at, 92)
    if (head.length < 24) return false
    if (head.subarray(0, 16).equals(ASF_FILE) && head.length === 92) {
      const broadcast = head.readUInt32LE(88) & 1
      return !broadcast && Number(head.readBigUInt64LE(40)) > size + TOLERANCE_BYTES
    }
    at += Math.max(24, Number(head.readBigUInt64LE(16)))
  }
  return false
}
