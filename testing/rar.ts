/**
 * Writes RAR archives of stored files, following RARLAB's technical note (https://www.rarlab.com/technote.htm) and, for RAR 4,
 * its predecessor.
 */
import { crc32 } from 'node:zlib'
import { le32 } from './fixtures/numbers.ts'

export interface RarMember {
  name: string
  /** Content of a file; absent for folders and links; of a copy, which is not stored again. */
  data?: Buffer
  isFolder?: boolean
  /** Unix mode with the file type; Windows attributes if the host is Windows. */
  mode?: number
  /** Seconds since 1970, of RAR 5. */
  seconds?: number
  /** Date in the upper half, time in the lower, of RAR 4. */
  dosTime?: number
  link?: { kind: 'symlink' | 'hardlink' | 'copy'; target: string }
}

/** A number with seven bits per byte, the lowest first. */
function vint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}

function block(type: number, flags: number, fields: Buffer, extra: Buffer, data: Buffer): Buffer {
  const all = flags | (extra.length > 0 ? 1 : 0) | (data.length > 0 ? 2 : 0)
  const body = Buffer.concat([
    vint(type),
    vint(all),
    ...(extra.length > 0 ? [vint(extra.length)] : []),
    ...(data.length > 0 ? [vint(data.length)] : []),
    fields,
    extra,
  ])
  const sized = Buffer.concat([vint(body.length), body])
  return Buffer.concat([le32(crc32(sized)), sized, data])
}

const NOTHING = Buffer.alloc(0)
const links = { symlink: 1, hardlink: 4, copy: 5 }

function member({ name, data = NOTHING, isFolder, mode = 0o100644, seconds = 1e9, link }: RarMember): Buffer {
  const bytes = Buffer.from(name)
  const target = Buffer.from(link?.target ?? '')
  const redirection = link
    ? Buffer.concat([vint(5), vint(links[link.kind]), vint(0), vint(target.length), target])
    : NOTHING
  const fields = [
    vint((isFolder ? 1 : 0) | 2 | 4),
    vint(data.length),
    vint(isFolder ? 0o40755 : mode),
    le32(seconds),
    le32(link ? 0 : crc32(data)),
    vint(0),
    vint(1),
    vint(bytes.length),
    bytes,
  ]
  const extra = link ? Buffer.concat([vint(redirection.length), redirection]) : NOTHING
  return block(2, 0, Buffer.concat(fields), extra, link?.kind === 'copy' ? NOTHING : data)
}

/** A RAR 5 archive. */
export function rar5(
  members: readonly RarMember[],
  { comment, isVolume = false }: { comment?: string; isVolume?: boolean } = {},
): Buffer {
  const text = Buffer.from(comment ?? '')
  const service = Buffer.concat([
    vint(4),
    vint(text.length),
    vint(0),
    le32(crc32(text)),
    vint(0),
    vint(1),
    vint(3),
    Buffer.from('CMT'),
  ])
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'),
    block(1, 0, vint(isVolume ? 1 : 0), NOTHING, NOTHING),
    ...(comment ? [block(3, 0, service, NOTHING, text)] : []),
    ...members.map(member),
    block(5, 0, vint(0), NOTHING, NOTHING),
  ])
}

/** A block of RAR 4, starting with the lower 16 bits of the checksum over the rest. */
function block4(type: number, flags: number, fields: Buffer): Buffer {
  const head = Buffer.alloc(7)
  head[2] = type
  head.writeUInt16LE(flags, 3)
  head.writeUInt16LE(7 + fields.length, 5)
  const bytes = Buffer.concat([head, fields])
  bytes.writeUInt16LE(crc32(bytes.subarray(2)) & 0xffff, 0)
  return bytes
}

const NEW_YEAR_2020 = (((40 << 9) | (1 << 5) | 1) << 16) >>> 0

/** A stored comment of RAR 4, in UTF-16 unless it is ASCII. */
function comment4(text: string): Buffer {
  const isAscii = /^[\0-\x7f]*$/.test(text)
  const data = Buffer.from(text, isAscii ? 'latin1' : 'utf16le')
  const fields = Buffer.alloc(25)
  fields.writeUInt32LE(data.length, 0)
  fields.writeUInt32LE(data.length, 4)
  fields[8] = 3
  fields.writeUInt32LE(crc32(data), 9)
  fields[17] = 29
  fields[18] = 0x30
  fields.writeUInt16LE(3, 19)
  fields.writeUInt32LE(isAscii ? 0 : 1, 21)
  return Buffer.concat([block4(0x7a, 0x8000, Buffer.concat([fields, Buffer.from('CMT')])), data])
}

/** A RAR 4 archive of files and folders; times default to 1 January 2020. */
export function rar4(members: readonly RarMember[], comment?: string): Buffer {
  const blocks = members.map(
    ({ name, data = NOTHING, isFolder, mode = 0o100644, dosTime = NEW_YEAR_2020 }) => {
      const bytes = Buffer.from(name.replaceAll('/', '\\'), 'latin1')
      const fields = Buffer.alloc(25)
      fields.writeUInt32LE(data.length, 0)
      fields.writeUInt32LE(data.length, 4)
      fields[8] = 3
      fields.writeUInt32LE(crc32(data), 9)
      fields.writeUInt32LE(dosTime, 13)
      fields[17] = 20
      fields[18] = 0x30
      fields.writeUInt16LE(bytes.length, 19)
      fields.writeUInt32LE(isFolder ? 0o40755 : mode, 21)
      const flags = 0x8000 | (isFolder ? 0xe0 : 0)
      const block = block4(0x74, flags, Buffer.concat([fields, bytes]))
      return Buffer.concat([block, data])
    },
  )
  return Buffer.concat([
    Buffer.from('Rar!\x1a\x07\0', 'latin1'),
    block4(0x73, 0, Buffer.alloc(6)),
    comment === undefined ? NOTHING : comment4(comment),
    ...blocks,
    block4(0x7b, 0x4000, NOTHING),
  ])
}
