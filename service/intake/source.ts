import { constants, lstat, open, realpath, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, isAbsolute, relative, sep } from 'node:path'
import type { Config } from '../config.ts'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'
import { cleanName, portableFolders } from '../names/names.ts'
import type { FetchRequest, UrlFetcher } from './fetch/fetcher.ts'
import { checkSize, receiveUpload, type UploadedFile } from './upload.ts'

/** Folders that are told apart, of those a file lies in; file systems take no longer paths. */
const MOST_FOLDERS = 64
/** Last moment that a date of JavaScript can hold. */
const LATEST_TIME = 8.64e15

/** Where a file comes from. */
export type Source =
  /** The body of a request, as multipart/form-data. */
  | { kind: 'upload'; request: IncomingMessage }
  /** A file of this machine, which stays where it is. `relativePath` is its path within a folder it was dropped with. */
  | { kind: 'path'; path: string; relativePath?: string | undefined; addedAt?: number | undefined }
  /** A file on the internet. */
  | ({ kind: 'url' } & FetchRequest)

/** A file as it has come in. Disposing of it deletes what nobody has taken over. */
export interface Incoming extends AsyncDisposable {
  /** Undefined when the request has none. */
  file: UploadedFile | undefined
  /** Path within the folder it was dropped with, its own name at the end; null for a file of its own. */
  relativePath: string | null
  /** Path it was named by; null for a file that is not of this machine. */
  originalPath: string | null
  /** When it was changed last, in milliseconds since 1970; null where nobody says. */
  modifiedAt: number | null
  /** Text fields sent with it. */
  fields: ReadonlyMap<string, string>
}

export interface SourceParts {
  /** Folder for uploads on their way in. */
  incoming: string
  /** Nothing of the data folder, `home`, is taken for a file of the person's own. */
  config: Pick<Config, 'home' | 'maxFileBytes'>
  fetcher: UrlFetcher
}

/**
 * Takes a file in from wherever it comes.
 * @throws RequestError request.* when it cannot be taken; nothing is left on disk then
 */
export async function receive(source: Source, { incoming, config, fetcher }: SourceParts): Promise<Incoming> {
  if (source.kind === 'path') return receiveLocal(source.path, source.relativePath, config)
  if (source.kind === 'url') {
    const file = await fetcher.fetch(source)
    return {
      file,
      fields: new Map(),
      relativePath: null,
      originalPath: null,
      modifiedAt: null,
      [Symbol.asyncDispose]: () => rm(file.path, { force: true }),
    }
  }
  const { fields, file, discard } = await receiveUpload(source.request, incoming, config.maxFileBytes)
  return {
    file,
    fields,
    relativePath: file ? relativePathOf(fields.get('path'), file.name) : null,
    originalPath: null,
    modifiedAt: timeOf(fields.get('modified')),
    [Symbol.asyncDispose]: discard,
  }
}

async function receiveLocal(
  given: string,
  relativePath: string | undefined,
  { maxFileBytes, home }: SourceParts['config'],
): Promise<Incoming> {
  if (!isAbsolute(given) || given.includes('\0') || isDevicePath(given)) {
    throw new RequestError('request.invalid_parameter', message('source.not_absolute'))
  }
  const path = await realpath(given).catch(() => {
    throw new RequestError('request.no_files', message('source.not_found'))
  })
  if (isInside(await realpath(home), path)) {
    throw new RequestError('request.invalid_parameter', message('source.own_data'))
  }
  const { bytes, modifiedAt } = await lookAt(path)
  const name = cleanName(basename(given))
  if (bytes === 0) throw new RequestError('request.empty_file', message('request.empty_file', { name }))
  checkSize(bytes, maxFileBytes)
  return {
    file: { path, name, bytes },
    fields: new Map(),
    relativePath: relativePathOf(relativePath, name),
    originalPath: given,
    modifiedAt,
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Paths such as `\\.\PhysicalDrive0`, which lead to no file. */
const isDevicePath = (path: string) => process.platform === 'win32' && /^[\\/]{2}[.?][\\/]/.test(path)

/** Opening a pipe would wait for its writer, and opening a device may do anything: it is looked at first. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Size and time of a regular file that can be read; its path has no links left. */
async function lookAt(path: string): Promise<{ bytes: number; modifiedAt: number }> {
  const seen = await lstat(path).catch(() => undefined)
  if (!seen) throw new RequestError('request.no_files', message('source.not_found'))
  if (!seen.isFile()) throw new RequestError('request.invalid_parameter', message('source.not_a_file'))
  const file = await open(path, READ_ONLY).catch(() => {
    throw new RequestError('request.no_files', message('source.not_readable'))
  })
  try {
    const opened = await file.stat()
    if (!opened.isFile()) throw new RequestError('request.invalid_parameter', message('source.not_a_file'))
    return { bytes: opened.size, modifiedAt: opened.mtimeMs }
  } finally {
    await file.close()
  }
}

/** Whether a path is a folder or below it; both without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** A time that a page sends along, in milliseconds since 1970; null when it is none. */
function timeOf(text: string | undefined): number | null {
  const time = Number(text ?? Number.NaN)
  return Number.isInteger(time) && time >= 0 && time <= LATEST_TIME ? time : null
}

/**
 * The path of a file inside the folder it was dropped with: plain folder names with `/` between them, and its name.
 * @returns null for a file that was dropped by itself
 */
function relativePathOf(path: string | undefined, name: string): string | null {
  const folders = portableFolders(path ?? '').slice(-MOST_FOLDERS)
  return folders.length > 0 ? [...folders, name].join('/') : null
}
