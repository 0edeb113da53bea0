import type { Entry } from '../archives/model.ts'
import { SECTOR_BYTES, sectorsOf } from './fields.ts'
import { hierarchyOf, type PlacedFolder } from './hierarchy.ts'
import { PARENT_LIMIT, pathTable } from './path-table.ts'
import { primaryNames } from './primary-names.ts'
import { EXTENT_BYTES, type Kind, measure } from './records.ts'
import { type Tree, treeOf } from './tree.ts'
import { type Bridge, planBridge } from './udf/bridge.ts'
import { FIRST_DESCRIPTOR } from './volume.ts'
import { windowsNames } from './windows-names.ts'

/** One of an image's trees, and where all of it lies. */
export interface PlacedTree {
  kind: Kind
  /** In the order of the path tables. */
  folders: readonly PlacedFolder[]
  pathTableBytes: number
  /** First sectors of the path tables of type L and M. */
  pathTables: readonly [l: number, m: number]
}

/** Where everything of an image lies, known before any data is read. */
export interface Layout {
  tree: Tree
  trees: readonly PlacedTree[]
  /** Only in images that need it. */
  bridge?: Bridge
  /** A sector of zeros, where the records of empty files point. */
  empty: number
  /** Sectors of the image. */
  sectors: number
}

/** Two volume descriptors and what ends them. */
const DESCRIPTORS = 3

/**
 * Units of a name in the Joliet tree. The specification of 1995 has 64; all readers of today take the 103 that fit into a
 * record with a version number, as mkisofs writes them with `-joliet-long`, and with 64 many ordinary names would be cut.
 */
const JOLIET_LENGTH = 103

/**
 * Plans an image: descriptors, path tables, folders of all trees, then the files in the order of the listing.
 * @param date time of what has none of its own
 */
export function layoutOf(entries: readonly Entry[], date: Date): Layout {
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
    {
      kind: 'joliet',
      folders: hierarchyOf(tree.root, windowsNames(JOLIET_LENGTH), node => node.kind !== 'symlink'),
    },
  ] as const
  // Windows finds folders in path tables, and is not known to read files of several sections.
  const needsBridge =
    tree.files.some(({ size }) => size > EXTENT_BYTES) || hierarchies[0].folders.length > PARENT_LIMIT
  const bridge = needsBridge ? planBridge(tree) : undefined
  if (bridge) next = bridge.end
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
  // The end of the bridge.
  if (bridge) take(1)
  return { tree, trees, ...(bridge && { bridge }), empty, sectors: next }
}
