/**
 * Writes ISO 9660 images at level 3, with Joliet names for Windows, and with Rock Ridge names, permissions and links for
 * all other systems. The layout is computed from the archive's listing, so that data is written once, in the archive's order, without being buffered.
 */
import type { Archive, ArchiveEntry } from '../model.ts'
import type { FileSink } from '../sink.ts'
import { SECTOR_BYTES, sectorsOf } from './fields.ts'
import { layoutOf } from './layout.ts'
import { pathTable } from './path-table.ts'
import { EXTENT_BYTES, folderBytes } from './records.ts'
import type { FileInode } from './tree.ts'
import { FIRST_DESCRIPTOR, terminator, volumeDescriptor } from './volume.ts'

export interface IsoOptions {
  /** Volume name. The trees keep as much of it as fits: 32 plain characters, and 16 of any kind. */
  label: string
  /** Creation time of the image, also used for files and folders without a time. */
  date: Date
}

/** What is lost when an archive becomes an image. */
export interface IsoLosses {
  /** Number of symbolic links, which only readers of Rock Ridge see. */
  symlinks: number
  /** Number of files of 4 GiB or more, in several sections, which Windows may not read. */
  large: number
}

/**
 * Writes an archive as an image to a sink, which must be empty and is left open. The same archive and options make the same bytes.
 * @throws JobFailure `too_large` when there are too many folders; any error of `archive`
 */
export async function writeIso(archive: Archive, image: FileSink, options: IsoOptions): Promise<IsoLosses> {
  const { losses, ...rest } = await writeTrees(image, archive.entries, options)
  await writeFiles(image, rest, archive)
  return losses
}

/** What is left to write after the trees, which need as much memory as the listing and are then released. */
interface Rest {
  files: readonly FileInode[]
  /** Of the whole image. */
  sectors: number
}

async function writeTrees(
  image: FileSink,
  entries: readonly ArchiveEntry[],
  { label, date }: IsoOptions,
): Promise<Rest & { losses: IsoLosses }> {
  const layout = layoutOf(entries, date)
  const { tree, trees, sectors } = layout
  await skipTo(image, FIRST_DESCRIPTOR)
  for (const { kind, folders, pathTableBytes, pathTables } of trees) {
    const volume = { label, date, sectors, root: folders[0]!, pathTableBytes, pathTables }
    await image.write(volumeDescriptor(kind, volume))
  }
  await image.write(terminator())
  for (const { kind, folders } of trees) {
    for (const bigEndian of [false, true]) {
      await image.write(pathTable(folders, kind, bigEndian))
      await skipTo(image, sectorsOf(image.bytes))
    }
  }
  for (const { kind, folders } of trees) {
    for (const folder of folders) {
      for (const bytes of folderBytes(folder, kind, layout)) await image.write(bytes)
    }
  }
  const large = tree.files.filter(({ size }) => size > EXTENT_BYTES).length
  const losses = { symlinks: tree.symlinks, large }
  return { files: tree.files, sectors, losses }
}

async function writeFiles(
  image: FileSink,
  { files: listed, sectors }: Rest,
  archive: Archive,
): Promise<void> {
  const files = listed.values()
  for await (const { entry, data } of archive.contents()) {
    const { value: file } = files.next()
    if (!file) throw new Error('the archive has more files than it lists')
    await skipTo(image, file.location)
    const end = image.bytes + file.size
    for await (const bytes of data) await image.write(bytes)
    if (image.bytes !== end) throw new Error(`${entry.path} is not as long as its entry says`)
  }
  if (!files.next().done) throw new Error('the archive has fewer files than it lists')
  await skipTo(image, sectors)
}

const ZEROS = Buffer.alloc(1 << 16)

/** Writes zeros up to the start of a sector. */
async function skipTo(image: FileSink, sector: number): Promise<void> {
  const count = sector * SECTOR_BYTES - image.bytes
  if (count < 0) throw new Error('the image has grown past a place that is to be written')
  for (let left = count; left > 0; left -= ZEROS.length) await image.write(ZEROS.subarray(0, left))
}
