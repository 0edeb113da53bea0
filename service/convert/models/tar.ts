/**
 * Reads one file of a TAR archive in the POSIX.1-1988 (ustar) format that npm packs: names are no longer than a header
 * holds.
 */

const BLOCK_BYTES = 512
/** Positions of header fields. */
const NAME = [0, 100] as const
const SIZE = [124, 136] as const

/**
 * The content of the file `name`. The archive is read to its end, as stream pipelines require.
 * @throws Error if the archive has no such file
 */
export async function* fileOfTar(archive: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  let data: Buffer = Buffer.alloc(0)
  /** Remaining bytes of the current file: of its content, and of its blocks. */
  let [content, blocks] = [0, 0]
  let [wanted, found] = [false, false]
  for await (const piece of archive) {
    data = data.length > 0 ? Buffer.concat([data, piece]) : piece
    for (;;) {
      const read = data.subarray(0, blocks)
      if (wanted && content > 0 && read.length > 0) yield read.subarray(0, content)
      content = Math.max(0, content - read.length)
      blocks -= read.length
      data = data.subarray(read.length)
      if (blocks > 0 || data.length < BLOCK_BYTES) break
      content = Number.parseInt(field(data, SIZE), 8) || 0
      blocks = Math.ceil(content / BLOCK_BYTES) * BLOCK_BYTES
      wanted = field(data, NAME) === name
      found ||= wanted
      data = data.subarray(BLOCK_BYTES)
    }
  }
  if (!found) throw new Error(`${name} is not in the archive`)
}

const field = (header: Buffer, [from, to]: readonly [number, number]) =>
  header.toString('latin1', from, to).replace(/\0.*$/s, '')
