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

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false
