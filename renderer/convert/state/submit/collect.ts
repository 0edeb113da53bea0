/** Finds the files in what a person dropped, chose or pasted, searching folders recursively. */

import { withLivePhotos } from '../../../../service/shared/names/live-photos.ts'
import { isTextFolder, textPackOf } from '../../../../service/shared/names/text-folder.ts'
import { isWanted } from '../../../../service/shared/names/unfinished.ts'
import type { Added } from '../../../api/upload.ts'

/** A file with its path in the folder that was dropped or chosen. */
export type PickedFile = Omit<Added, 'addedAt'>

type Entry = Pick<FileSystemEntry, 'isFile' | 'isDirectory' | 'name'>

const readFile = (entry: FileSystemFileEntry) =>
  new Promise<File | null>(resolve => entry.file(resolve, () => resolve(null)))

/** A reader returns a folder in parts, and an empty one at the end. */
async function readFolder(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>(resolve =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (part.length === 0) return all
    all.push(...part)
  }
}

/** The files, with the video of each Live Photo in its picture. */
export const mergeLivePhotos = (files: readonly PickedFile[]): Promise<PickedFile[]> =>
  withLivePhotos(
    files,
    ({ file, relativePath }) => relativePath ?? file.name,
    async ({ file }) => file,
    ({ file, relativePath }, parts) => ({
      file: new File(parts, file.name, { lastModified: file.lastModified }),
      relativePath,
    }),
  )

/** The files, with a folder of a text and its pictures as the one document that it is. */
export async function withTextFolders(files: readonly PickedFile[]): Promise<PickedFile[]> {
  const folders = Map.groupBy(files, ({ relativePath }) => /^[^/]*(?=\/)/.exec(relativePath ?? '')?.[0] ?? '')
  const found = [...folders].map(async ([name, inside]) => {
    if (name === '' || !isTextFolder(inside.map(({ file }) => file.name))) return inside
    const parts = inside.map(async ({ file, relativePath }) => [
      relativePath!.slice(name.length + 1),
      new Uint8Array(await file.arrayBuffer()),
    ])
    const file = await textPackOf(name, Object.fromEntries(await Promise.all(parts)))
    return [{ file, relativePath: null }]
  })
  return (await Promise.all(found)).flat()
}

/** All files below the given entries, in order. */
export async function filesBelow(entries: readonly Entry[]): Promise<PickedFile[]> {
  const files: PickedFile[] = []
  const visit = async (entry: Entry, folder: string): Promise<void> => {
    if (!isWanted(entry.name)) return
    if (entry.isFile) {
      const file = await readFile(entry as FileSystemFileEntry)
      if (file) files.push({ file, relativePath: folder ? folder + entry.name : null })
    } else if (entry.isDirectory) {
      const children = await readFolder(entry as FileSystemDirectoryEntry)
      children.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))
      for (const child of children) await visit(child, `${folder}${entry.name}/`)
    }
  }
  for (const entry of entries) await visit(entry, '')
  return files
}

/** Must be called while the event is being handled: afterwards the transfer is empty. */
export function filesOfTransfer(transfer: DataTransfer): Promise<PickedFile[]> {
  const items = [...transfer.items].filter(item => item.kind === 'file')
  const entries = items.flatMap(item => item.webkitGetAsEntry?.() ?? [])
  // Files alone are in the transfer itself, and need not be asked for one by one.
  const hasFolder = entries.some(({ isDirectory }) => isDirectory)
  if (hasFolder && entries.length === items.length) return filesBelow(entries)
  return Promise.resolve(filesOfList(transfer.files))
}

/** Files of a file dialog or the clipboard. A folder dialog gives each file's path in the folder. */
export const filesOfList = (list: Iterable<File>): PickedFile[] =>
  [...list]
    .filter(file => isWanted(file.name))
    .map(file => ({ file, relativePath: file.webkitRelativePath || null }))
