/** TIFF files with any directories, as most cameras write them, and their common tags. */

export type Tag = [tag: number, type: number, values: number[] | Buffer]

export interface Directory {
  tags: Tag[]
  /** Data, with the tag that points to it. */
  data?: [tag: number, bytes: Buffer][]
  /** Subdirectories, with the tags that point to them. */
  below?: [tag: number, directories: Directory[]][]
}

export const ascii = (text: string) => Buffer.from(`${text}\0`)
const SIZES: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8 }

interface Placed {
  bytes: Buffer
  at: number
}

/** A little-endian TIFF file of consecutive directories, and the position of the last one. */
export function tiff(directories: Directory[], head = 8): { bytes: Buffer; last: number } {
  const chunks: Buffer[] = [Buffer.alloc(head)]
  let end = head
  const place = (bytes: Buffer) => {
    if (end & 1) end += chunks.push(Buffer.alloc(1)) && 1
    chunks.push(bytes)
    end += bytes.length
    return end - bytes.length
  }
  const encoded = ([, type, values]: Tag): { bytes: Buffer; count: number } => {
    if (Buffer.isBuffer(values)) return { bytes: values, count: values.length }
    const width = Math.min(4, SIZES[type]!)
    const bytes = Buffer.alloc(values.length * width)
    for (const [index, value] of values.entries()) {
      if (type === 10) bytes.writeInt32LE(value, index * 4)
      else bytes.writeUIntLE(value, index * width, width)
    }
    return { bytes, count: bytes.length / SIZES[type]! }
  }
  const write = ({ tags, data = [], below = [] }: Directory): Placed => {
    // The directory comes before what it points to, because some containers need it right after the header.
    const bytes = Buffer.alloc(6 + 12 * (tags.length + data.length + below.length))
    const at = place(bytes)
    const all = [...tags]
    for (const [tag, content] of data) all.push([tag, 4, [place(content)]])
    for (const [tag, inner] of below) all.push([tag, 4, inner.map(directory => write(directory).at)])
    all.sort((a, b) => a[0] - b[0])
    bytes.writeUInt16LE(all.length)
    for (const [index, tag] of all.entries()) {
      const entry = 2 + 12 * index
      const value = encoded(tag)
      bytes.writeUInt16LE(tag[0], entry)
      bytes.writeUInt16LE(tag[1], entry + 2)
      bytes.writeUInt32LE(value.count, entry + 4)
      if (value.bytes.length <= 4) value.bytes.copy(bytes, entry + 8)
      else bytes.writeUInt32LE(place(value.bytes), entry + 8)
    }
    return { bytes, at }
  }
  const written = directories.map(write)
  for (const [index, { bytes }] of written.entries())
    bytes.writeUInt32LE(written[index + 1]?.at ?? 0, bytes.length - 4)
  chunks[0]!.write('II*\0', 'latin1')
  chunks[0]!.writeUInt32LE(written[0]!.at, 4)
  return { bytes: Buffer.concat(chunks), last: written.at(-1)!.at }
}

export const exposure: Directory = {
  tags: [
    [0x829a, 5, [1, 125]],
    [0x829d, 5, [56, 10]],
    [0x8827, 3, [200]],
    [0x9003, 2, ascii('2026:01:02 03:04:05')],
    [0x920a, 5, [50, 1]],
  ],
}

export const camera = (make: string, model: string, orientation = 1): Tag[] => [
  [0x010f, 2, ascii(make)],
  [0x0110, 2, ascii(model)],
  [0x0112, 3, [orientation]],
]
