import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { numberedName } from '../../../../shared/names/names.ts'
import type { ArchiveEntry } from '../model.ts'

/** Maximum number of files, links and folders in an image, including folders that are only implied by paths. */
const NODE_LIMIT = 1_000_000

const FILE_MODE = 0o644
const FOLDER_MODE = 0o755
const LINK_MODE = 0o777

/** What all names of a file or folder share, as in POSIX. */
export interface Inode {
  /** Serial number, from 1. */
  serial: number
  /** Number of its names. */
  links: number
  /** Permission bits. */
  mode: number
  modified: Date
}

/** The content of a file, which several names can share. */
export interface FileInode extends Inode {
  size: number
  /** First sector. */
  location: number
}

export interface FileNode {
  kind: 'file'
  name: string
  inode: FileInode
}

export interface LinkNode {
  kind: 'symlink'
  name: string
  inode: Inode
  target: string
}

export interface FolderNode {
  kind: 'folder'
  name: string
  inode: Inode
  children: Map<string, Node>
}

export type Node = FileNode | LinkNode | FolderNode

export interface Tree {
  root: FolderNode
  /** In the order of the listing, in which their data arrives. */
  files: readonly FileInode[]
  symlinks: number
  /** Number of hard links without a target in the archive, which are left out. */
  dangling: number
}

/**
 * Builds a tree from a listing, including folders that are not listed.
 * @param date time of entries without a time
 * @throws JobFailure `too_large` beyond a million files, links and folders
 */
export function treeOf(entries: readonly ArchiveEntry[], date: Date): Tree {
  let serial = 0
  const inode = (mode: number, modified: Date | null): Inode => ({
    serial: ++serial,
    links: 1,
    mode,
    modified: modified ?? date,
  })
  const folderNode = (name: string): FolderNode => ({
    kind: 'folder',
    name,
    // Its own entry, and the one in its parent.
    inode: { ...inode(FOLDER_MODE, date), links: 2 },
    children: new Map(),
  })
  const add = <Added extends Node>(parent: FolderNode, node: Added): Added => {
    if (serial > NODE_LIMIT)
      throw new JobFailure('jobs.too_large', message('iso.too_many_folders', { limit: NODE_LIMIT }))
    parent.children.set(node.name, node)
    if (node.kind === 'folder') parent.inode.links++
    return node
  }

  const root = folderNode('')
  /** The folder with that name, created if necessary; if a file has the name, the folder gets a number. */
  const folderIn = (parent: FolderNode, name: string): FolderNode => {
    for (let number = 1; ; number++) {
      const numbered = numberedName(name, number)
      const found = parent.children.get(numbered)
      if (found?.kind === 'folder') return found
      if (found) continue
      return add(parent, folderNode(numbered))
    }
  }
  const freeName = (parent: FolderNode, name: string): string => {
    for (let number = 1; ; number++) {
      const numbered = numberedName(name, number)
      if (!parent.children.has(numbered)) return numbered
    }
  }

  const files: FileInode[] = []
  let dangling = 0
  const byPath = new Map<string, FileNode | LinkNode>()
  let symlinks = 0
  for (const { path, kind, size, mode, modified, target = '' } of entries) {
    const parts = path.split('/')
    const last = parts.pop() ?? ''
    const parent = parts.reduce(folderIn, root)
    if (kind === 'folder') {
      const folder = folderIn(parent, last)
      folder.inode.mode = mode ?? FOLDER_MODE
      folder.inode.modified = modified ?? date
      continue
    }
    const name = freeName(parent, last)
    if (kind === 'hardlink') {
      const meant = byPath.get(target)
      if (!meant) {
        dangling++
        continue
      }
      meant.inode.links++
      byPath.set(path, add(parent, { ...meant, name }))
      if (meant.kind === 'symlink') symlinks++
    } else if (kind === 'symlink') {
      byPath.set(path, add(parent, { kind, name, inode: inode(mode ?? LINK_MODE, modified), target }))
      symlinks++
    } else {
      const file = { ...inode(mode ?? FILE_MODE, modified), size, location: 0 }
      byPath.set(path, add(parent, { kind, name, inode: file }))
      files.push(file)
    }
  }
  return { root, files, symlinks, dangling }
}
