import type { ArchiveEntry } from '../model.ts'
import { SECTOR_BYTES, sectorsOf } from './fields.ts'
import { hierarchyOf, type PlacedFolder } from './hierarchy.ts'
import { jolietNames, primaryNames } from './names.ts'
import { pathTable } from './path-table.ts'
import { type Kind, measure } from './records.ts'
import { type Tree, treeOf } from './tree.ts'
import { FIRST_DESCRIPTOR } from './volume.ts'

/** One of an image's trees, and its location. */
export interface PlacedTree {
  kind: Kind
  /** In the order of the path tables. */
  folders: readonly PlacedFolder[]
  pathTableBytes: number
  /** First sectors of the path tables of type L and M. */
  pathTables: readonly [l: number, m: number]
}

/** The layout of an image, computed before any data is read. */
export interface Layout {
  tree: Tree
  trees: readonly PlacedTree[]
  /** A sector of zeros to which the records of empty files point. */
  empty: number
  /** Sectors of the image. */
  sectors: number
}

/** Number of descriptors: two volume descriptors and a terminator. */
const DESCRIPTORS = 3

/**
 * Plans an image: descriptors, path tables, folders of all trees, then the files in the order of the listing.
 * @param date time of entries without a time
 */
export function layoutOf(entries: readonly ArchiveEntry[], date: Date): Layout {
  const tree = treeOf(entries, date)
  let next = FIRST_DESCRIPTOR + DESCRIPTORS
  const take = (sectors: number) => {
    const location = next
    next += sectors
    return location
  }
  const hierarchies = [
    { kind: 'primary', folders: hierarchyOf(tree.root, primaryNames, () => true) },
    // Joliet has no symbolic links.
    { kind: 'joliet', folders: hierarchyOf(tree.root, jolietNames, node => node.kind !== 'symlink') },
  ] as const
  const trees = hierarchies.map(({ kind, folders }) => {
    const pathTableBytes = pathTable(folders, kind, false).length
    const tableSectors = sectorsOf(pathTableBytes)
    return { kind, folders, pathTableBytes, pathTables: [take(tableSectors), take(tableSectors)] as const }
  })
  for (const { kind, folders } of trees) {
    for (const folder of folders) {
      measure(folder, kind)
      folder.location = take(folder.bytes / SECTOR_BYTES + folder.continuationSectors)
    }
  }
  const empty = take(1)
  for (const file of tree.files) file.location = take(sectorsOf(file.size))
  return { tree, trees, empty, sectors: next }
}
