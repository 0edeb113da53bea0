import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { chmod, lstat, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hashOfFile } from '../file-hash.ts'
import { syncFolder } from './durable.ts'
import { giveName, type Naming } from './naming.ts'
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
  const folder = await folderOf(where)
  const before = await lstat(path, { bigint: true })
  try {
    const moved = await giveName(path, folder, nameOf(path), 'original')
    await syncFolder(folder)
    await putBackUnless(before, moved, path)
    return moved
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    return await moveToOtherDisk(path, where, content, before)
  }
}

const nameOf = (path: string): Naming => ({ name: basename(path), taken: 'number' })

async function moveToOtherDisk(
  path: string,
  where: Where,
  content: string,
  before: BigIntStats,
): Promise<string> {
  await using copy = await PartialFile.receive({ from: path }, where)
  if ((await hashOfFile(copy.path)) !== content) throw new FileChanged(`${path} has changed.`)
  await chmod(copy.path, Number(before.mode) & 0o777).catch(() => {})
  await copy.date(Number(before.mtimeMs))
  const moved = await copy.place(nameOf(path))
  // It is removed under a name that nobody else writes to.
  const aside = join(dirname(path), `.refile-${randomBytes(8).toString('hex')}.original`)
  await rename(path, aside)
  try {
    await putBackUnless(before, aside, path)
    await unlink(aside)
  } catch (error) {
    await giveName(aside, dirname(path), nameOf(path)).catch(() => {})
    throw error
  }
  return moved
}

/** @throws FileChanged if what was taken is another file than before, which gets its name back if that is free */
async function putBackUnless(before: BigIntStats, taken: string, path: string): Promise<void> {
  const now = await lstat(taken, { bigint: true })
  if (now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs) return
  await giveName(taken, dirname(path), nameOf(path))
  throw new FileChanged(`${path} has changed.`)
}
