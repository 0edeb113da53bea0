/**
 * A UDF file system over the same data as the image's other trees, as on DVDs, for images with files or folders that Windows
 * cannot read otherwise.
 */
import { sectorsOf } from '../fields.ts'
import { hierarchyOf, type PlacedFolder } from '../hierarchy.ts'
import type { ImageWriter } from '../image-writer.ts'
import type { Node, Tree } from '../tree.ts'
import { windowsNames } from '../windows-names.ts'
import { fileEntry, fileIdentifiers, NAME_LENGTH, uniqueIdOf } from './files.ts'
import { anchor, FIRST_ENTRY_BLOCK, places, volumeStructure } from './volume.ts'

/** Location of the UDF tree. */
export interface Bridge {
  /** Breadth first. */
  folders: readonly PlacedFolder[]
  /** The sector after it. */
  end: number
}

/** Plans the entries of all files and folders, followed by the identifiers of the folders. */
export function planBridge(tree: Tree): Bridge {
  const folders = hierarchyOf(tree.root, windowsNames(NAME_LENGTH), node => node.kind !== 'symlink')
  let end = places.partition + FIRST_ENTRY_BLOCK + tree.nodes.length
  for (const folder of folders) {
    folder.location = end
    folder.bytes = 0
    for (const { length } of fileIdentifiers(folder)) folder.bytes += length
    end += sectorsOf(folder.bytes)
  }
  return { folders, end }
}

interface Volume {
  label: string
  date: Date
  /** Sectors of the image. */
  sectors: number
}

/** Writes all of UDF except the anchor at the end, starting at its first sector. */
export async function writeBridge(
  image: ImageWriter,
  tree: Tree,
  { folders }: Bridge,
  volume: Volume,
): Promise<void> {
  const structure = volumeStructure({
    label: volume.label,
    date: volume.date,
    partitionSectors: volume.sectors - 1 - places.partition,
    files: tree.files.length,
    folders: folders.length,
    nextUniqueId: uniqueIdOf(tree.nodes.at(-1)!.inode) + 1,
  })
  for (const [sector, bytes] of structure) {
    await image.skipTo(sector)
    await image.write(bytes)
  }
  await image.pad()
  const placed = new Map<Node, PlacedFolder>(folders.map(folder => [folder.folder, folder]))
  for (const node of tree.nodes) {
    // The block for a symbolic link's entry stays empty.
    if (node.kind === 'file') {
      await image.write(fileEntry('file', node.inode, node.inode.location, node.inode.size))
    } else if (node.kind === 'folder') {
      const { location, bytes } = placed.get(node)!
      await image.write(fileEntry('folder', node.inode, location, bytes))
    }
    await image.skipTo(places.partition + FIRST_ENTRY_BLOCK + node.inode.serial)
  }
  for (const folder of folders) {
    await image.skipTo(folder.location)
    for (const bytes of fileIdentifiers(folder)) await image.write(bytes)
  }
  await image.pad()
}

/** Writes the anchor into the image's last sector. */
export async function endBridge(image: ImageWriter, sectors: number): Promise<void> {
  await image.skipTo(sectors - 1)
  await image.write(anchor(sectors - 1))
  await image.pad()
}
