import type { BigIntStats } from 'node:fs'
import { chmod, lstat, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hashOfFile } from '../file-hash.ts'
import { numberedName } from '../names/names.ts'
import { syncFolder } from './durable.ts'
import { giveName, ifGone } from './naming.ts'
import { putBack, setAside } from './partial-name.ts'
import { folderOf, PartialFile, type Where } from './place.ts'

/** A file is no longer what it was a moment ago. */
export class FileChanged extends Error {
  override readonly name: string = 'FileChanged'
}

/**
 * Moves a file into a folder, under its name or a numbered one. On another disk it is copied, synced and read back before the
 * original is removed.
 * @param content SHA-256 of what it is to be, in hex
 * @returns its path there
 * @throws FileChanged if it is replaced or written to meanwhile, and the system's errors; nothing is lost then
 */
export async function moveFile(path: string, where: Where, content: string): Promise<string> {
  const [folder, origin] = [await folderOf(where), dirname(path)]
  const naming = { name: basename(path), taken: 'number' } as const
  const before = await lstat(path, { bigint: true })
  /** @throws FileChanged if what was taken is another file than before, which gets its name back if that is free */
  const putBackUnlessSame = async (taken: string) => {
    const now = await lstat(taken, { bigint: true })
    if (now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs) return
    await giveName(taken, origin, naming)
    throw new FileChanged(`${path} has changed.`)
  }
  const copied = async () => {
    await using copy = await PartialFile.receive({ from: path }, where)
    if ((await hashOfFile(copy.path)) !== content) throw new FileChanged(`${path} has changed.`)
    await chmod(copy.path, Number(before.mode) & 0o777).catch(() => {})
    await copy.date(Number(before.mtimeMs))
    return await copy.place(naming)
  }
  // On another disk, a crash would leave the empty file that reserves a name.
  if ((await stat(folder, { bigint: true })).dev === before.dev) {
    try {
      const moved = await giveName(path, folder, naming, 'original')
      await syncFolder(folder)
      await putBackUnlessSame(moved)
      return moved
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    }
  }
  const moved = (await copiedBefore(folder, naming.name, before, content)) ?? (await copied())
  // It is removed where nobody else writes to it.
  const aside = await setAside(path)
  try {
    await putBackUnlessSame(aside)
    await rm(dirname(aside), { recursive: true })
  } catch (error) {
    await putBack(dirname(aside)).catch(() => {})
    throw error
  }
  return moved
}

/** The copy of a file, with its date, that an attempt made before it was interrupted. */
async function copiedBefore(
  folder: string,
  name: string,
  { size, mtimeMs }: BigIntStats,
  content: string,
): Promise<string | undefined> {
  for (let number = 1; ; number++) {
    const path = join(folder, numberedName(name, number))
    const found = await lstat(path, { bigint: true }).catch(ifGone(undefined))
    if (!found) return undefined
    // FAT keeps every other second.
    const isAsOld = Math.abs(Number(found.mtimeMs - mtimeMs)) <= 2_000
    const isAlike = found.isFile() && found.size === size && isAsOld
    if (isAlike && (await hashOfFile(path)) === content) return path
  }
}
