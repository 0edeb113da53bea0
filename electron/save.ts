import { basename, dirname } from 'node:path'
import { message } from '../service/shared/messages/message.ts'
import { portableName } from '../service/shared/names/names.ts'
import type { Naming } from '../service/shared/placing/naming.ts'
import { place, type Where } from '../service/shared/placing/place.ts'
import { ShellProblem } from './serve-channels.ts'
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

const save = (content: ReadableStream<Uint8Array>, where: Where & Naming): Promise<string> =>
  place(content, where).catch(error => {
    throw problemOf(error)
  })

/** Saves `content` as `path`, in place of a file that the person has agreed to replace, once all of it is there. */
export const saveAs = (path: string, content: ReadableStream<Uint8Array>): Promise<string> =>
  save(content, { root: dirname(path), name: basename(path), taken: 'replace' })

/**
 * Saves `content` into `folder` under `name`, or `name (2)` and so on if that is taken.
 * @returns the final path
 */
export const saveInto = (
  folder: string,
  name: string,
  content: ReadableStream<Uint8Array>,
): Promise<string> => save(content, { root: folder, name: portableName(name, 'output'), taken: 'number' })
