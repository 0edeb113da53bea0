import { createWriteStream, openAsBlob } from 'node:fs'
import { glob, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type FileSource, fileFrom } from '../sdk/src/index.ts'
import { withLivePhotos } from '../service/shared/names/live-photos.ts'
import { isTextFolder, textPackOf } from '../service/shared/names/text-folder.ts'
import { messageOf, UsageError } from './exit-codes.ts'

/** A file to convert. */
export interface InputFile {
  /** As it was given, for messages. */
  shown: string
  name: string
  /** Folder that results go to, if none is chosen. */
  folder: string
  /** Its folder below the one that was given, kept below a chosen folder. */
  below: string
  /** Whether it was found in a folder, and not named itself. */
  isFromFolder: boolean
  /** Why it cannot be converted, if it is not there, or no file. */
  problem?: UsageError
  open(): Promise<FileSource>
}

/**
 * The files that the words of a command line name: files, folders with `recursive` or of a text and its pictures, and patterns that the
 * shell left as they are. What is hidden in a folder, or not named by a pattern, is not meant.
 */
export async function findInputs(words: readonly string[], recursive: boolean): Promise<InputFile[]> {
  const found = await Promise.all(words.map(word => filesOf(word, recursive)))
  const unique = new Map(found.flat().map(file => [resolve(file.shown), file]))
  return [...unique.values()]
}

async function filesOf(word: string, recursive: boolean): Promise<InputFile[]> {
  const kind = await stat(await nameOnDisk(word)).catch(() => undefined)
  if (kind?.isFile()) return [fileAt(word)]
  const unusable = (reason: string) => [{ ...fileAt(word), problem: new UsageError(reason) }]
  if (kind?.isDirectory()) {
    const files = await filesBelow(word, word)
    if (recursive) return files
    return isTextFolder(files.map(({ name }) => name))
      ? [textFolderAt(word, files)]
      : unusable(`${word} is a folder. Add --recursive to convert the files in it.`)
  }
  if (kind) return unusable(`${word} is no file. Pipe it in: … | refile convert - --from FORMAT --to FORMAT`)
  if (/^https?:\/\//i.test(word))
    return unusable(`${word} is an address. Pipe it in: curl … | refile convert - --from FORMAT --to FORMAT`)
  const matches = /[*?[{]/.test(word) ? await Array.fromAsync(glob(word)) : []
  if (matches.length === 0) return unusable(`There is no file ${word}.`)
  return matches.toSorted().map(path => fileAt(path))
}

/** The files of a folder and of those in it; one that cannot be read is one file that cannot be converted. */
async function filesBelow(root: string, folder: string): Promise<InputFile[]> {
  const found = (path: string) => ({ ...fileAt(path, relative(root, dirname(path))), isFromFolder: true })
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const visible = entries.filter(({ name }) => !name.startsWith('.'))
    const files = visible.filter(entry => entry.isFile()).map(({ name }) => found(join(folder, name)))
    const folders = visible.filter(entry => entry.isDirectory())
    const below = await Promise.all(folders.map(({ name }) => filesBelow(root, join(folder, name))))
    return [...files, ...below.flat()].toSorted((one, other) => (one.shown < other.shown ? -1 : 1))
  } catch (error) {
    return [{ ...found(folder), problem: new UsageError(messageOf(error)) }]
  }
}

/** A file of a folder. */
export const fileAt = (path: string, below = ''): InputFile => ({
  shown: path,
  name: basename(path),
  folder: dirname(path),
  below,
  isFromFolder: false,
  open: async () => fileFrom(await nameOnDisk(path), basename(path)),
})

/** A folder of a text and its pictures, as one file. */
function textFolderAt(path: string, files: readonly InputFile[]): InputFile {
  const name = basename(resolve(path))
  const part = async ({ shown }: InputFile) => [
    relative(path, shown),
    await readFile(await nameOnDisk(shown)),
  ]
  const open = async () => textPackOf(name, Object.fromEntries(await Promise.all(files.map(part))))
  return { ...fileAt(path), name: `${name}.textpack`, open }
}

/** The files, with the video of each Live Photo in its picture. */
export const mergeLivePhotos = (inputs: readonly InputFile[]): Promise<InputFile[]> =>
  withLivePhotos(
    inputs,
    ({ shown }) => resolve(shown),
    ({ shown }) => openAsBlob(shown).catch(() => new Blob()),
    (picture, parts) => ({ ...picture, open: async () => new File(parts, picture.name) }),
  )

/** What stands in a text for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd'

/** The path of a file as the disk has it: Node reads names that are no UTF-8 as ones with replacement characters. */
async function nameOnDisk(path: string): Promise<string | Buffer> {
  const name = basename(path)
  if (!name.includes(REPLACEMENT)) return path
  const names = await readdir(dirname(path), { encoding: 'buffer' }).catch(() => [])
  const found = names.filter(bytes => bytes.toString() === name)
  const [bytes] = found
  return bytes && found.length === 1 ? Buffer.concat([Buffer.from(`${dirname(path)}/`), bytes]) : path
}

/** The names on standard input, each ended by a zero byte, as `find -print0` writes them. */
export async function namesFromStdin(): Promise<string[]> {
  return (await text(process.stdin)).split('\0').filter(Boolean)
}

/** Standard input as a file of a format, kept in a temporary folder until it is disposed. */
export async function stdinAsFile(format: string): Promise<InputFile & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-stdin-'))
  const path = join(folder, `stdin.${format}`)
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }))
  return {
    ...fileAt(path),
    shown: '-',
    folder: process.cwd(),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
