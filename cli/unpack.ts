import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Result } from '../sdk/src/index.ts'
import { nameAround } from '../service/shared/names/names.ts'
import { extensionOf, receive } from '../service/shared/watch/saving.ts'
import { unpackEach } from '../service/shared/watch/unpack.ts'
import type { Catalogue } from './catalogue.ts'
import { type Existing, Names, writeResult } from './results.ts'

/**
 * Saves the files of a result that is several, in the folder of the path planned for it; returns their paths. One whose extension is
 * not known gets that of the path.
 */
export async function unpackResult(
  result: Result,
  path: string,
  existing: Existing,
  knows: Catalogue['knows'],
  names = new Names(),
): Promise<string[]> {
  const named = (name: string) =>
    knows(extensionOf(name))
      ? name
      : join(dirname(name), nameAround('', basename(name), `.${extensionOf(path)}`))
  const archive = await receive(await result.stream(), path, randomBytes(4).toString('hex'))
  try {
    return await unpack(archive, dirname(path), existing, names, named)
  } finally {
    await rm(archive, { force: true })
  }
}

/**
 * Saves the files of a ZIP below a folder, under names that every system has. One whose names lead elsewhere is refused, and links
 * become plain files.
 * @returns their paths
 * @throws DamagedResult if it cannot be unpacked; nothing of it is then left
 */
export async function unpack(
  archive: string,
  folder: string,
  existing: Existing,
  names: Names = new Names(),
  named: (name: string) => string = name => name,
): Promise<string[]> {
  const saved: string[] = []
  try {
    return await unpackEach(archive, async (content, name) => {
      const target = join(folder, named(name))
      const free = existing === 'overwrite' ? names.free(target, {}) : target
      const path = await writeResult(content, free, existing, false)
      saved.push(path)
      return path
    })
  } catch (error) {
    await Promise.all(saved.map(file => rm(file, { force: true })))
    throw error
  }
}
