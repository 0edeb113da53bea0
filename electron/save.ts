import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { message } from '../service/shared/messages/message.ts'
import { numberedName, portableName } from '../service/shared/names/names.ts'
import { ShellProblem } from './ipc.ts'
import { translate } from './words.ts'

const problems = {
  ENOSPC: message('shell.disk_full'),
  EDQUOT: message('shell.quota_full'),
  EACCES: message('shell.not_writable'),
  EPERM: message('shell.not_writable'),
  EROFS: message('shell.read_only'),
  ENOENT: message('shell.folder_gone'),
} as const

const isKnown = (code: string): code is keyof typeof problems => Object.hasOwn(problems, code)

/** An error of the file system in words for people, if there are any. */
function problemOf(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? ''
  return isKnown(code) ? new ShellProblem(translate(problems[code]), { cause: error }) : error
}

/**
 * Saves `content` as `path`, overwriting an existing file. It is first written to a temporary file in the same folder,
 * so that no partial file is ever left.
 */
export async function saveAs(path: string, content: ReadableStream<Uint8Array>): Promise<void> {
  // Not derived from the name, which may already have the maximum length.
  const partial = join(dirname(path), `.${randomUUID()}.part`)
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
 * Saves `content` into `folder` under `name`, or `name (2)` and so on if that is taken.
 * @returns the final path
 */
export async function saveInto(
  folder: string,
  name: string,
  content: ReadableStream<Uint8Array>,
): Promise<string> {
  const path = await reserve(folder, portableName(name, 'output'))
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
  for (let number = 1; ; number++) {
    const path = join(folder, numberedName(name, number))
    try {
      await (await open(path, 'wx')).close()
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw problemOf(error)
    }
  }
}
