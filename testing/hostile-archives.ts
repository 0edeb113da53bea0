/** Writes archives byte by byte, as no program would: names that lead outside, numbers that lie. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface HostileMember {
  name: string | Buffer
  data?: Buffer
  kind?: 'file' | 'folder' | 'symlink' | 'hardlink' | 'device'
  /** Where a link leads. */
  target?: string
}

export interface ZipLies {
  /** Name in the local header. */
  localName?: string
  method?: number
  flags?: number
  crc?: number
  size?: number
  packedSize?: number
  /** The data already compressed with deflate; checksum and size are given separately. */
  packed?: Buffer
  offset?: number
  /** Day and time in DOS format. */
  dosTime?: number
  /** Extra field of the directory's record. */
  extra?: Buffer
}

const unixTypes = {
  file: 0o100644,
  folder: 0o040755,
  symlink: 0o120777,
  hardlink: 0o100644,
  device: 0o020644,
}

function words(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      field.writeUIntLE(value % 2 ** (8 * bytes), 0, bytes)
      return field
    }),
  )
}

/** A Unix ZIP; names given as text are UTF-8. */
export function zipOf(
  members: readonly (HostileMember & ZipLies)[],
  end: { count?: number; offset?: number } = {},
): Buffer {
  const parts: Buffer[] = []
  const records: Buffer[] = []
  let position = 0
  for (const { name, data, kind = 'file', target, ...claims } of members) {
    const content = kind === 'symlink' ? Buffer.from(target ?? '') : (data ?? Buffer.alloc(0))
    const method = claims.method ?? (claims.packed || content.length > 100 ? 8 : 0)
    const packed = claims.packed ?? (method === 8 ? deflateRawSync(content) : content)
    const nameBytes = Buffer.from(name)
    const localName = claims.localName === undefined ? nameBytes : Buffer.from(claims.localName)
    const flags = claims.flags ?? (typeof name === 'string' ? 0x800 : 0)
    const sums = [
      [4, claims.crc ?? crc32(content)],
      [4, claims.packedSize ?? packed.length],
      [4, claims.size ?? content.length],
    ] as const
    const shared = [[2, 20], [2, flags], [2, method], [4, claims.dosTime ?? 0x5a21_0000], ...sums] as const
    const extra = claims.extra ?? Buffer.alloc(0)
    records.push(
      words(
        [4, 0x02014b50],
        [2, 0x031e],
        ...shared,
        [2, nameBytes.length],
        [2, extra.length],
        [2, 0],
        [2, 0],
        [2, 0],
      ),
      words([4, unixTypes[kind] * 0x10000], [4, claims.offset ?? position]),
      nameBytes,
      extra,
    )
    if (claims.offset !== undefined) continue
    const local = Buffer.concat([
      words([4, 0x04034b50], ...shared, [2, localName.length], [2, 0]),
      localName,
      packed,
    ])
    parts.push(local)
    position += local.length
  }
  const directory = Buffer.concat(records)
  const count = end.count ?? members.length
  const tail = words(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, end.offset ?? position],
    [2, 0],
  )
  return Buffer.concat([...parts, directory, tail])
}

export interface TarLies {
  type?: string
  /** The 12 bytes of the size field, taken literally. */
  sizeField?: Buffer | string
}

const tarTypes = { file: '0', folder: '5', symlink: '2', hardlink: '1', device: '3' }
const blocks = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 511)])

/** A ustar header with its data blocks; names beyond 100 bytes are cut. */
export function tarMember({
  name,
  data,
  kind = 'file',
  target = '',
  type,
  sizeField,
}: HostileMember & TarLies): Buffer {
  const content = data ?? Buffer.alloc(0)
  const block = Buffer.alloc(512)
  block.set(Buffer.from(name).subarray(0, 100), 0)
  block.write('0000644\x000000000\x000000000\0', 100, 'latin1')
  block.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  if (sizeField) block.fill(0, 124, 136).set(Buffer.from(sizeField), 124)
  block.write('13600000000\0        ', 136, 'latin1')
  block.write(type ?? tarTypes[kind], 156, 'latin1')
  block.write(target, 157, 100)
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([block, blocks(content)])
}

/** Records of an extended header, which goes before its member. */
export function pax(records: Record<string, string>): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`)
    let length = rest + String(rest).length
    if (rest + String(length).length > length) length++
    return `${length} ${key}=${value}\n`
  })
  return tarMember({ name: 'PaxHeaders/x', type: 'x', data: Buffer.from(lines.join('')) })
}

const END = Buffer.alloc(1024)

export const tarOf = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, END])

/** Members with names of any length, stored in extended headers. */
export const tarOfMembers = (members: readonly HostileMember[]): Buffer =>
  tarOf(
    ...members.flatMap(member => [
      pax({ path: String(member.name), ...(member.target ? { linkpath: member.target } : {}) }),
      tarMember(member),
    ]),
  )

/** Replaces text in the header of a 7z written with `-mhc=off`, where it is in UTF-16, and corrects the checksums. */
export function renamed7z(archive: Buffer, from: string, to: string): Buffer {
  if (from.length !== to.length) throw new Error('names in place must be as long as those before them')
  return changed7z(archive, header => {
    const wanted = Buffer.from(from, 'utf16le')
    for (let at = header.indexOf(wanted); at >= 0; at = header.indexOf(wanted, at + 2))
      header.write(to, at, 'utf16le')
  })
}

/** Changes the header of a 7z (7zFormat.txt of the LZMA SDK) in place or to another one, and corrects its length and the checksums. */
export function changed7z(archive: Buffer, change: (header: Buffer) => Buffer | undefined): Buffer {
  const start = 32 + Number(archive.readBigUInt64LE(12))
  const body = Buffer.from(archive.subarray(0, start))
  const before = Buffer.from(archive.subarray(start, start + Number(archive.readBigUInt64LE(20))))
  const header = change(before) ?? before
  body.writeBigUInt64LE(BigInt(header.length), 20)
  body.writeUInt32LE(crc32(header), 28)
  body.writeUInt32LE(crc32(body.subarray(12, 32)), 8)
  return Buffer.concat([body, header])
}
