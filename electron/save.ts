import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ShellProblem } from './ipc.ts'

/** Names Windows reserves for devices, whatever their extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Longest file name written, in UTF-16 units; file systems allow 255 bytes or units. */
const NAME_LIMIT = 120

/** A name that is one plain file name on every platform, whatever `name` holds. */
export function plainName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get through
  const safe = basename(name.replaceAll('\\', '/')).replace(/[\u0000-\u001f\u007f<>:"|?*]/g, '_')
  const trimmed = safe.replace(/^[\s.]+|[\s.]+$/g, '')
  if (trimmed === '') return 'output'
  const suffix = extname(trimmed).slice(0, 20)
  const stem = trimmed.slice(0, trimmed.length - extname(trimmed).length).slice(0, NAME_LIMIT)
  return `${DEVICE.test(trimmed) ? '_' : ''}${stem}${suffix}`
}

const problems: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space, or save somewhere else.',
  EDQUOT: 'Your share of the disk is full. Free some space, or save somewhere else.',
  EACCES: 'Refile may not write there. Choose another folder.',
  EPERM: 'Refile may not write there. Choose another folder.',
  EROFS: 'Nothing can be written there. Choose another folder.',
  ENOENT: 'That folder is gone. Choose another one.',
}

/** An error of the file system in words for people, where there are any. */
function problemOf(error: unknown): unknown {
  const problem = problems[(error as NodeJS.ErrnoException | null)?.code ?? '']
  return problem === undefined ? error : new ShellProblem(problem, { cause: error })
}

/** Saves `content` as `path`, replacing what is there. It is written beside it first: no half file is ever left. */
export async function saveAs(path: string, content: ReadableStream<Uint8Array>): Promise<void> {
  const partial = `${path}.${process.pid}.part`
  try {
    await pipeline(Readable.fromWeb(content as never), createWriteStream(partial, { flush: true }))
    await rename(partial, path)
  } catch (error) {
    throw problemOf(error)
  } finally {
    await rm(partial, { force: true })
  }
}

/**
 * Saves `content` into `folder` under `name`, or `name (2)` and so on where that is taken.
 * @returns the path it got
 */
export async function saveInto(
  folder: string,
  name: string,
  content: ReadableStream<Uint8Array>,
): Promise<string> {
  const path = await reserve(folder, plainName(name))
  try {
    await saveAs(path, content)
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Creates an empty file under the first free name, so that nobody else can take it. */
async function reserve(folder: string, name: string): Promise<string> {
  const suffix = extname(name)
  const stem = name.slice(0, name.length - suffix.length)
  for (let copy = 1; ; copy++) {
    const path = join(folder, copy === 1 ? name : `${stem} (${copy})${suffix}`)
    try {
      await (await open(path, 'wx')).close()
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw problemOf(error)
    }
  }
}
