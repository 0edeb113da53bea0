import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { Writable } from 'node:stream'
import type { Result } from '../sdk/src/index.ts'
import { extensionOf } from '../service/shared/names/extension.ts'
import { nameAround, numberedName, withoutInvisible } from '../service/shared/names/names.ts'
import type { Naming } from '../service/shared/placing/naming.ts'
import { foldersOf, PartialFile, place, type Where } from '../service/shared/placing/place.ts'
import type { Catalogue } from './catalogue.ts'
import { UsageError } from './exit-codes.ts'

/**
 * The names that results of one run have or will have: `a.png` and `a.gif`, or files of two folders, become different files also where
 * results replace what was there before.
 */
export class Names {
  readonly #owners = new Map<string, object>()

  /**
   * The first name for a result of `owner` that is nobody else's, as disks see it that ignore case.
   * @param isTaken whether a name is not free for another reason
   */
  free(path: string, owner: object, isTaken: (path: string) => boolean = () => false): string {
    for (let number = 1; ; number++) {
      const name = join(dirname(path), numberedName(basename(path), number))
      const key = resolve(name).toLowerCase()
      if (isTaken(name) || (this.#owners.get(key) ?? owner) !== owner) continue
      this.#owners.set(key, owner)
      return name
    }
  }
}

const placeholders = ['name', 'ext', 'target', 'index'] as const

/** Refuses a template of names with a word in braces that stands for nothing. @throws UsageError */
export function checkTemplate(template: string): void {
  const known: readonly string[] = placeholders
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].find(([, word = '']) => !known.includes(word))
  if (unknown)
    throw new UsageError(
      `A name has no ${unknown[0]}. There are ${known.map(word => `{${word}}`).join(', ')}.`,
    )
}

/**
 * The path of a result.
 * @param template of the name without its extension, with `{name}`, `{ext}` (of the source), `{target}` and `{index}`
 */
export function resultPath(
  folder: string,
  template: string,
  { source, target, index, extension }: { source: string; target: string; index: number; extension: string },
): string {
  const ext = extname(source)
  const fields: Record<(typeof placeholders)[number], string> = {
    ...{ name: basename(source, ext), ext: ext.slice(1), target, index: String(index) },
  }
  const name = template.replace(/\{(\w+)\}/g, (_, field: keyof typeof fields) => fields[field])
  // A name cannot lead out of the folder, whatever the source or the service call it.
  const part = (text: string) => withoutInvisible(text).replaceAll(/[/\\]/g, '_')
  return join(folder, nameAround('', part(name), part(`.${extension}`)))
}

/**
 * The result that is already there for a path: the file itself, or the archive of several.
 * @param unpacked the stem of the source's name, with which the names of several unpacked files begin, followed by a number
 * @returns its path, or undefined
 */
export async function resultAt(path: string, unpacked?: string): Promise<string | undefined> {
  const [folder, extension] = [dirname(path), extname(path)]
  for (const known of [path, `${path.slice(0, path.length - extension.length)}.zip`]) {
    if (existsSync(known)) return known
  }
  if (unpacked === undefined) return undefined
  const isOneOfSeveral = (name: string) =>
    name.startsWith(`${unpacked}-`) && name.endsWith(extension) && /^\d/.test(name.slice(unpacked.length + 1))
  const first = (await readdir(folder).catch(() => [])).find(isOneOfSeveral)
  return first && join(folder, first)
}

/** @param root the folder that was chosen for results; below it no link is followed */
const whereOf = (path: string, root: string): Where => ({
  ...{ root, folders: foldersOf(relative(root, dirname(path))), isMade: true },
})

/**
 * Saves a result under a planned name, with the extension that the service gave it if that is one of a known format, once all of it is
 * there. Its folder is made.
 * @param taken what to do with a file that is already there
 * @param knows whether an extension is one
 * @param free the name to be used for one that was not planned
 * @returns its path, which has a number if `taken` says so and the name was taken
 */
export async function saveResult(
  result: Result,
  path: string,
  taken: Naming['taken'],
  knows: Catalogue['knows'],
  { free = path => path, root = dirname(path) }: { free?: (path: string) => string; root?: string } = {},
): Promise<string> {
  // Several files come as one archive.
  const extension = result.fileCount === 1 ? extensionOf(result.fileName) : 'zip'
  const named = asKnown(extension, path, knows)
  const saved = named === path ? path : free(named)
  return place(await result.stream(), { ...whereOf(saved, root), name: basename(saved), taken })
}

/** A planned path with another extension, if that is one of a known format. */
function asKnown(extension: string, path: string, knows: Catalogue['knows']): string {
  const planned = basename(path)
  if (extension === extensionOf(planned) || !knows(extension)) return path
  return join(dirname(path), nameAround('', planned.slice(0, planned.lastIndexOf('.')), `.${extension}`))
}

/**
 * Saves the files of a result that is several in the folder of the path planned for it, all of them or none, under names that every
 * system has; one whose extension is not known gets that of the path.
 * @returns their paths
 * @throws DamagedResult if it cannot be unpacked
 */
export async function unpackResult(
  result: Pick<Result, 'stream'>,
  path: string,
  taken: Naming['taken'],
  knows: Catalogue['knows'],
  { names = new Names(), root = dirname(path) }: { names?: Names; root?: string } = {},
): Promise<string[]> {
  const where = whereOf(path, root)
  await using archive = await PartialFile.receive(await result.stream(), where)
  await using files = await PartialFile.unpack(archive.path, where, { isSynced: false })
  const folder = dirname(path)
  return await files.placeEach(taken, file => {
    const named = knows(extensionOf(file))
      ? file
      : join(dirname(file), nameAround('', basename(file), `.${extensionOf(path)}`))
    return taken === 'replace' ? relative(folder, names.free(join(folder, named), {})) : named
  })
}

/** Writes a result to standard output, as fast as its reader takes it. @returns what stands for it in place of a path */
export async function writeStdout(result: Result): Promise<string> {
  const output = Writable.toWeb(process.stdout) as WritableStream<Uint8Array>
  await (await result.stream()).pipeTo(output, { preventClose: true })
  return '-'
}
