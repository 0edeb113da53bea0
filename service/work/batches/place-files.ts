import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { isThere, placeFolder } from '../../shared/watch/saving.ts'
import { unpackInto } from '../../shared/watch/unpack.ts'
import { syncFolder } from '../../store/interfaces/durable.ts'
import { makeFolders, NameTakenError, type Placement, partialIn } from './place.ts'

/**
 * Puts the files of a result that is several, a ZIP, into a subfolder with the name, atomically and without overwriting anything. It
 * is filled under a temporary name, which is there until it gets its own: the next attempt sees whether an interrupted one got so far.
 * @returns the path of the subfolder
 * @throws NameTakenError, DamagedResult, or the file system's errors for `root` and what is below it
 */
export async function placeFiles(placement: Placement): Promise<string> {
  const { from, root, folders, name, taken, modifiedAt, remembered, remember, signal } = placement
  const folder = await makeFolders(root, folders)
  const partial = partialIn(folder, placement)
  if (remembered !== null && !(await isThere(partial)) && (await isThere(remembered))) return remembered
  try {
    const files = await unpackInto(from, partial, signal)
    if (modifiedAt !== null) {
      // A result is saved even if the disk does not support such times.
      const date = new Date(modifiedAt)
      await Promise.all(files.map(file => utimes(file, new Date(), date).catch(() => {})))
    }
    await syncFolder(partial)
    const path = await placeFolder(partial, join(folder, name), remember, path => {
      if (taken === 'refuse') throw new NameTakenError(path)
    })
    await syncFolder(folder)
    return path
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => {})
    throw error
  }
}
