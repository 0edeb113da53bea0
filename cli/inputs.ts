import { createWriteStream } from 'node:fs'
import { glob, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type FileSource, fileFrom } from '../sdk/src/index.ts'
import { UsageError } from './exit-codes.ts'

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
  isFound: boolean
  open(): Promise<FileSource>
}

/**
 * The files that the words of a command line name: files, folders with `recursive`, and patterns that the shell left as they are.
 * @throws UsageError for what is not there
 */
export async function findInputs(words: readonly string[], recursive: boolean): Promise<InputFile[]> {
  const found = await Promise.all(words.map(word => filesOf(word, recursive)))
  const unique = new Map(found.flat().map(file => [resolve(file.shown), file]))
  return [...unique.values()]
}

async function filesOf(word: string, recursive: boolean): Promise<InputFile[]> {
  const kind = await stat(await nameOnDisk(word)).catch(() => undefined)
  if (kind?.isFile()) return [fileAt(word)]
  if (kind?.isDirectory()) {
    if (!recursive) throw new UsageError(`${word} is a folder. Add --recursive to convert the files in it.`)
    const entries = await readdir(word, { recursive: true, withFileTypes: true })
    const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    return paths.toSorted().map(path => ({
      ...fileAt(path, relative(word, dirname(path))),
      isFound: true,
    }))
  }
  if (kind)
    throw new UsageError(`${word} is no file. Pipe it in: … | refile convert - --from FORMAT --to FORMAT`)
  const matches = /[*?[{]/.test(word) ? await Array.fromAsync(glob(word)) : []
  if (matches.length === 0) throw new UsageError(`There is no file ${word}.`)
  return matches.toSorted().map(path => fileAt(path))
}

/** A file of a folder. */
export const fileAt = (path: string, below = ''): InputFile => ({
  shown: path,
  name: basename(path),
  folder: dirname(path),
  below,
  isFound: false,
  open: async () => fileFrom(await nameOnDisk(path), basename(path)),
})

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
