import type { FolderNode, Node } from './tree.ts'

/** A member of a folder with its identifier in a hierarchy. */
export interface FolderMember {
  node: Node
  /** Without a version number. */
  identifier: string
  /** Location of the member, if it is a folder. */
  directory?: PlacedFolder
}

/** A folder of a hierarchy, and the location of its records. */
export interface PlacedFolder {
  folder: FolderNode
  identifier: string
  /** Undefined for the root. */
  parent?: PlacedFolder
  /** Its number in the path table, from 1. */
  number: number
  /** In the order of their records. */
  members: readonly FolderMember[]
  /** First sector. */
  location: number
  /** Size of its records in bytes, a multiple of the sector size. */
  bytes: number
  /** Number of sectors after the records, for fields that do not fit into the records. */
  continuationSectors: number
}

/** Assigns the identifiers of a folder's members. */
type Names = () => (name: string, isFolder: boolean) => string

/**
 * Builds one of the trees of an image, which contain the same files under different identifiers.
 * @returns the folders in path table order: by depth, then by their parent's number, then by identifier (ECMA-119, 6.9.1);
 * members in record order (ECMA-119, 9.3: by identifier without version number)
 */
export function hierarchyOf(root: FolderNode, names: Names, holds: (node: Node) => boolean): PlacedFolder[] {
  const members = (folder: FolderNode): FolderMember[] => {
    const name = names()
    const listed: FolderMember[] = []
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
  const directories = [place(root, '', 1)]
  for (const parent of directories) {
    for (const member of parent.members) {
      if (member.node.kind !== 'folder') continue
      member.directory = place(member.node, member.identifier, directories.length + 1, parent)
      directories.push(member.directory)
    }
  }
  return directories
}
