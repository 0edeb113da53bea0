/** Joins TIFF files to one of several pages (TIFF 6.0, section 2), in which all positions are counted from its start. */
import { open, readFile } from 'node:fs/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { typeBytes } from './tiff.ts'

/** Tags that hold positions: of strips and of tiles. */
const PLACES = new Set([273, 324])
/** Tags that lead to another directory: of Exif, of its place, and of what Exif's pictures share. */
const DIRECTORIES = new Set([34_665, 34_853, 40_965])
const LONG = 4
const ENTRY_BYTES = 12
const MOST_BYTES = 2 ** 32 - 1

/** @param paths files of a page each, as libtiff writes them on every system that Refile runs on: with the low byte first */
export async function joinTiffs(paths: readonly string[], path: string): Promise<void> {
  await using file = await open(path, 'wx')
  await file.write(Buffer.from('II*\0\0\0\0\0', 'latin1'))
  let [base, linkAt] = [8, 4]
  for (const each of paths) {
    const page = await readFile(each)
    const directory = page.readUInt32LE(4)
    const entries = page.readUInt16LE(directory)
    const added: Buffer[] = []
    let end = page.length + (page.length % 2)
    if (base + end > MOST_BYTES) throw new JobFailure('jobs.too_large')
    for (let index = 0; index < entries; index++) {
      const at = directory + 2 + index * ENTRY_BYTES
      const [tag, type, count] = [page.readUInt16LE(at), page.readUInt16LE(at + 2), page.readUInt32LE(at + 4)]
      const width = typeBytes(type)
      const from = count * width > 4 ? page.readUInt32LE(at + 8) : at + 8
      if (!PLACES.has(tag)) {
        shift(page, at, base)
        continue
      }
      const places = Buffer.alloc(count * 4)
      for (let place = 0; place < count; place++)
        places.writeUInt32LE(page.readUIntLE(from + place * width, width) + base, place * 4)
      page.writeUInt16LE(LONG, at + 2)
      if (count === 1) places.copy(page, at + 8)
      else {
        page.writeUInt32LE(base + end, at + 8)
        added.push(places)
        end += places.length
      }
    }
    await file.write(page, 0, page.length, base)
    await file.write(Buffer.concat(added), 0, undefined, base + page.length + (page.length % 2))
    const link = Buffer.alloc(4)
    link.writeUInt32LE(base + directory)
    await file.write(link, 0, 4, linkAt)
    linkAt = base + directory + 2 + entries * ENTRY_BYTES
    base += end
  }
}

/** Adds a distance to where the value of the entry at `at` stands, if it stands elsewhere, and to all that it leads to. */
function shift(page: Buffer, at: number, base: number): void {
  const [tag, type, count] = [page.readUInt16LE(at), page.readUInt16LE(at + 2), page.readUInt32LE(at + 4)]
  const inner = page.readUInt32LE(at + 8)
  if (DIRECTORIES.has(tag)) {
    for (let index = 0; index < page.readUInt16LE(inner); index++)
      shift(page, inner + 2 + index * ENTRY_BYTES, base)
  } else if (count * typeBytes(type) <= 4) return
  page.writeUInt32LE(inner + base, at + 8)
}
