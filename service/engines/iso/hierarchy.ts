import type { FolderNode, Node } from './tree.ts'

/** A member of a folder under the identifier that a hierarchy has for it. */
export interface Member {
  node: Node
  /** Without a version number. */
  identifier: string
  /** Where a member that is a folder lies. */
  placed?: PlacedFolder
}

/** A folder of one hierarchy, and where its records lie. */
export interface PlacedFolder {
  folder: FolderNode
  identifier: string
  /** The root has none. */
  parent?: PlacedFolder
  /** Its place in the path table, from 1. */
  number: number
  /** In the order of their records. */
  members: readonly Member[]
  /** First sector. */
  location: number
  /** Bytes of its records, whole sectors. */
  bytes: number
  /** Sectors behind them, for what has no room in the records. */
  continuationSectors: number
}

/** Gives out the identifiers of a folder's members. */
type Names = () => (name: string, isFolder: boolean) => string

/**
 * One of the trees of an image: the same files under other identifiers.
 * @returns the folders in the order of path tables: by depth, then by their parent's number, then by identifier
 * (ECMA-119, 6.9.1); members in that of records (ECMA-119, 9.3, which is that of the identifiers without version numbers)
 */
export function hierarchyOf(root: FolderNode, names: Names, holds: (node: Node) => boolean): PlacedFolder[] {
  const members = (folder: FolderNode): Member[] => {
    const name = names()
    const listed: Member[] = []
    for (const node of folder.children.values()) {
      if (holds(node)) listed.push({ node, identifier: name(node.name, node.kind === 'folder') })
    }
    return listed.sort((a, b) => (a.identifier < b.identifier ? -1 : 1))
  }
  const place = (
    folder: FolderNode,
    identifier: string,
    number: number,
    parent?: PlacedFolder,
  ): PlacedFolder => ({
    folder,
    identifier,
    ...(parent && { parent }),
    number,
    members: members(folder),
    location: 0,
    bytes: 0,
    continuationSectors: 0,
  })
  const placed = [place(root, '', 1)]
  for (const parent of placed) {
    for (const member of parent.members) {
      if (member.node.kind !== 'folder') continue
      member.placed = place(member.node, member.identifier, placed.length + 1, parent)
      placed.push(member.placed)
    }
  }
  return placed
}
