import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type ArchiveEntry, modeOf } from '../model.ts'

/** Maximum number of files, links and folders in an image, including folders that are only implied by paths. */
const NODE_LIMIT = 1_000_000

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
}

/**
 * Builds a tree from a listing, whose paths are unique, including folders that are not listed.
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
    inode: { ...inode(modeOf({ kind: 'folder', mode: null }), date), links: 2 },
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
  /** The folder with that name, created if necessary. */
  const folderIn = (parent: FolderNode, name: string): FolderNode => {
    const found = parent.children.get(name)
    return found?.kind === 'folder' ? found : add(parent, folderNode(name))
  }

  const files: FileInode[] = []
  const byPath = new Map<string, FileNode>()
  let symlinks = 0
  for (const { path, kind, size, mode, modified, target = '' } of entries) {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    const parent = parts.reduce(folderIn, root)
    if (kind === 'folder') {
      const folder = folderIn(parent, name)
      folder.inode.mode = modeOf({ kind, mode })
      folder.inode.modified = modified ?? date
      continue
    }
    if (kind === 'hardlink') {
      const meant = byPath.get(target)
      if (!meant) throw new Error(`what ${path} means is not in the archive`)
      meant.inode.links++
      add(parent, { ...meant, name })
    } else if (kind === 'symlink') {
      add(parent, { kind, name, inode: inode(modeOf({ kind, mode }), modified), target })
      symlinks++
    } else {
      const file = { ...inode(modeOf({ kind, mode }), modified), size, location: 0 }
      byPath.set(path, add(parent, { kind, name, inode: file }))
      files.push(file)
    }
  }
  return { root, files, symlinks }
}
