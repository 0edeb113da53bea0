import { existsSync, mkdirSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it. Node's own way tries without end where a system such as /proc says that a folder is missing
 * whose parent is there.
 * @param mode of those it makes; by default what the system gives
 * @throws the system's error if it cannot be made
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  if (await isFolder(folder)) return
  const above = dirname(folder)
  // A drive that is not connected is above itself.
  if (above !== folder && !(await isFolder(above))) await makeFolder(above, mode)
  await mkdir(folder, mode).catch(async error => {
    // Another process may have made it at the same moment.
    if (!(await isFolder(folder))) throw error
  })
}

/** The same before anything else can happen, as some of what a program starts with has to. @throws as `makeFolder` */
export function makeFolderSync(folder: string, mode?: number): void {
  const above = dirname(folder)
  if (above !== folder && !existsSync(above)) makeFolderSync(above, mode)
  try {
    if (!existsSync(folder)) mkdirSync(folder, mode)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false
