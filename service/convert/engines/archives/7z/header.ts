/** Headers of 7z (7zFormat.txt of the LZMA SDK, https://www.7-zip.org/sdk.html), for an archive of one solid block. */
import { crc32 } from 'node:zlib'
import { type ArchiveEntry, typeAndMode } from '../model.ts'
import { windowsTime } from '../zip/extra.ts'

/** Numbers of the properties. */
const ids = {
  ...{ end: 0, header: 1, streams: 4, files: 5, packed: 6, unpacking: 7, substreams: 8, size: 9, sums: 10 },
  ...{ folder: 11, unpackedSizes: 12, counts: 13, emptyStreams: 14, emptyFiles: 15, names: 17 },
  ...{ modified: 20, attributes: 21 },
} as const

export const START_BYTES = 32
const LZMA2 = 0x21

/** The attributes of Windows, and the mark that the upper half is the mode of Unix. */
const FOLDER = 0x10
const ARCHIVED = 0x20
const UNIX = 0x8000

/** A member as it was written; those without content have no sum. */
export interface WrittenMember {
  entry: ArchiveEntry
  size: number
  crc: number | undefined
}

export interface Packed {
  bytes: number
  /** Size of the dictionary, as LZMA2 writes it. */
  dictionary: number
}

/** The first bytes of the file, which lead to the header at its end. */
export function startOf(offset: number, header: Uint8Array): Buffer {
  const start = Buffer.alloc(START_BYTES)
  start.set([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4])
  start.writeBigUInt64LE(BigInt(offset - START_BYTES), 12)
  start.writeBigUInt64LE(BigInt(header.length), 20)
  start.writeUInt32LE(crc32(header), 28)
  start.writeUInt32LE(crc32(start.subarray(12)), 8)
  return start
}

/** @param packed the data; null if no member has any */
export function headerOf(members: readonly WrittenMember[], packed: Packed | null): Buffer {
  const streams = packed ? streamsOf(members, packed) : []
  return Buffer.concat([Buffer.of(ids.header), ...streams, ...filesOf(members), Buffer.of(ids.end)])
}

const hasContent = ({ crc }: WrittenMember) => crc !== undefined

function streamsOf(members: readonly WrittenMember[], { bytes, dictionary }: Packed): Buffer[] {
  const full = members.filter(hasContent)
  const total = full.reduce((sum, { size }) => sum + size, 0)
  const sums = Buffer.alloc(4 * full.length)
  for (const [index, { crc = 0 }] of full.entries()) sums.writeUInt32LE(crc, 4 * index)
  return [
    Buffer.of(ids.streams, ids.packed),
    ...[numeral(0), numeral(1), Buffer.of(ids.size), numeral(bytes), Buffer.of(ids.end)],
    // One folder, not external, of one coder with a property.
    Buffer.of(ids.unpacking, ids.folder, 1, 0, 1, 0x21, LZMA2, 1, dictionary),
    ...[Buffer.of(ids.unpackedSizes), numeral(total), Buffer.of(ids.end)],
    ...[Buffer.of(ids.substreams, ids.counts), numeral(full.length), Buffer.of(ids.size)],
    // The last one follows from the others.
    ...full.slice(0, -1).map(({ size }) => numeral(size)),
    ...[Buffer.of(ids.sums, 1), sums, Buffer.of(ids.end, ids.end)],
  ]
}

function filesOf(members: readonly WrittenMember[]): Buffer[] {
  const empty = members.filter(member => !hasContent(member))
  const dated = members.map(({ entry }) => entry.modified !== null)
  const times = members.flatMap(({ entry: { modified } }) => (modified ? timeBytes(modified) : []))
  const attributes = members.map(({ entry }) => word(attributesOf(entry)))
  const names = members.map(({ entry }) => Buffer.from(`${entry.path}\0`, 'utf16le'))
  const property = (id: number, ...parts: Buffer[]) => {
    const content = Buffer.concat(parts)
    return [Buffer.of(id), numeral(content.length), content]
  }
  return [
    Buffer.of(ids.files),
    numeral(members.length),
    ...(empty.length > 0
      ? [
          ...property(ids.emptyStreams, bits(members.map(member => !hasContent(member)))),
          ...property(ids.emptyFiles, bits(empty.map(({ entry }) => entry.kind !== 'folder'))),
        ]
      : []),
    ...property(ids.names, Buffer.of(0), ...names),
    // Not all are defined; not external.
    ...(times.length > 0 ? property(ids.modified, Buffer.of(0), bits(dated), Buffer.of(0), ...times) : []),
    ...property(ids.attributes, Buffer.of(1, 0), ...attributes),
    Buffer.of(ids.end),
  ]
}

function attributesOf(entry: ArchiveEntry): number {
  const own = entry.kind === 'folder' ? FOLDER : ARCHIVED
  const isUnix = entry.mode !== null || entry.kind === 'symlink'
  return isUnix ? (own | UNIX | (typeAndMode(entry) << 16)) >>> 0 : own
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function timeBytes(date: Date): Buffer {
  const bytes = Buffer.alloc(8)
  const ticks = windowsTime(date)
  bytes.writeBigUInt64LE(ticks > 0n ? ticks : 0n)
  return bytes
}

/** Bits from the highest of each byte on. */
function bits(values: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(values.length / 8))
  for (const [index, value] of values.entries()) if (value) bytes[index >> 3]! |= 0x80 >> (index & 7)
  return bytes
}

/** A number of one to nine bytes: the leading ones of the first count how many follow, its other bits are the highest. */
function numeral(value: number): Buffer {
  let rest = BigInt(value)
  const low: number[] = []
  for (let follow = 0; follow < 8; follow++) {
    const room = 7 - follow
    if (rest < 1n << BigInt(room)) return Buffer.from([((0xff00 >> follow) & 0xff) | Number(rest), ...low])
    low.push(Number(rest & 0xffn))
    rest >>= 8n
  }
  return Buffer.from([0xff, ...low])
}
