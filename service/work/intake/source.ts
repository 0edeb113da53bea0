import { constants, lstat, open, realpath } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, isAbsolute } from 'node:path'
import type { Config } from '../../shared/config.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { cleanName, portableFolders } from '../../shared/names/names.ts'
import { liesWithin } from '../../shared/names/within.ts'
import { checkSize, type FormReading, receiveUpload, type UploadedFile } from './upload.ts'

/** How many levels of a dropped file's folders are kept; file systems allow no longer paths. */
const MAX_FOLDERS = 64
/** The latest time that a JavaScript date can hold. */
const LATEST_TIME = 8.64e15

/** A file on this machine, which stays where it is. */
interface LocalPath {
  path: string
  /** Its path within the dropped folder. */
  relativePath?: string | undefined
  addedAt?: number | undefined
}

/** Where a file comes from, if not from the internet. */
export type Source =
  /** The body of a request, as multipart/form-data; its files are hashed on their way if asked for. */
  ({ kind: 'upload'; request: IncomingMessage } & FormReading) | ({ kind: 'path' } & LocalPath)

/** A received file. Disposing deletes whatever nobody has taken over. */
export interface Incoming extends AsyncDisposable {
  /** Undefined if the request has no file. */
  file: UploadedFile | undefined
  /** All files of the request, which only a conversion that joins them takes. */
  files: readonly UploadedFile[]
  /** Path within the dropped folder, ending in the file's name; null for a single file. */
  relativePath: string | null
  /** The path it was given by; null for a file that is not on this machine. */
  originalPath: string | null
  /** Time of last modification, in milliseconds since 1970; null if unknown. */
  modifiedAt: number | null
  /** Text fields of the request. */
  fields: ReadonlyMap<string, string>
}

export interface SourceParts {
  /** Folder for incoming uploads. */
  incoming: string
  /** Files inside the data folder, `home`, are not accepted as the person's own. */
  config: Pick<Config, 'home' | 'maxFileBytes'>
}

/**
 * Receives a file.
 * @throws RequestError request.* if the file cannot be accepted; nothing is then left on disk
 */
export async function receive(source: Source, { incoming, config }: SourceParts): Promise<Incoming> {
  if (source.kind === 'path') return receiveLocal(source, config)
  const { fields, file, files, discard } = await receiveUpload(
    source.request,
    incoming,
    config.maxFileBytes,
    source,
  )
  return {
    file,
    files,
    fields,
    relativePath: file ? relativePathOf(fields.get('path'), file.name) : null,
    originalPath: null,
    modifiedAt: timeOf(fields.get('modified')),
    [Symbol.asyncDispose]: discard,
  }
}

/** The same for a file on this machine. */
export async function receiveLocal(
  { path: given, relativePath }: LocalPath,
  { maxFileBytes, home }: SourceParts['config'],
): Promise<Incoming & { file: UploadedFile }> {
  if (!isAbsolute(given) || given.includes('\0') || isDevicePath(given)) {
    throw new RequestError('request.invalid_parameter', message('source.not_absolute'))
  }
  const path = await realpath(given).catch(() => {
    throw new RequestError('request.no_files', message('source.not_found'))
  })
  if (liesWithin(await realpath(home), path)) {
    throw new RequestError('request.invalid_parameter', message('source.own_data'))
  }
  const { bytes, modifiedAt } = await lookAt(path)
  const name = cleanName(basename(given))
  if (bytes === 0) throw new RequestError('request.empty_file', message('request.empty_file', { name }))
  checkSize(bytes, maxFileBytes)
  const file = { path, name, bytes }
  return {
    file,
    files: [file],
    fields: new Map(),
    relativePath: relativePathOf(relativePath, name),
    originalPath: given,
    modifiedAt,
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Paths such as `\\.\PhysicalDrive0`, which are not files. */
const isDevicePath = (path: string) => process.platform === 'win32' && /^[\\/]{2}[.?][\\/]/.test(path)

/**
 * Opening a pipe would wait for its writer, and opening a device may have side effects, so the path is checked first.
 */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Size and time of a readable regular file; its path has no links left. */
async function lookAt(path: string): Promise<{ bytes: number; modifiedAt: number }> {
  const seen = await lstat(path).catch(() => undefined)
  if (!seen) throw new RequestError('request.no_files', message('source.not_found'))
  if (!seen.isFile()) throw new RequestError('request.invalid_parameter', message('source.not_a_file'))
  await using file = await open(path, READ_ONLY).catch(() => {
    throw new RequestError('request.no_files', message('source.not_readable'))
  })
  const opened = await file.stat()
  if (!opened.isFile()) throw new RequestError('request.invalid_parameter', message('source.not_a_file'))
  return { bytes: opened.size, modifiedAt: opened.mtimeMs }
}

/** Parses a time sent by the page, in milliseconds since 1970; null if it is invalid. */
function timeOf(text: string | undefined): number | null {
  const time = Number(text ?? Number.NaN)
  return Number.isInteger(time) && time >= 0 && time <= LATEST_TIME ? time : null
}

/**
 * The path of a file within the dropped folder: plain folder names separated by `/`, then its name.
 * @returns null for a file that was dropped by itself
 */
function relativePathOf(path: string | undefined, name: string): string | null {
  const folders = portableFolders(path ?? '').slice(-MAX_FOLDERS)
  return folders.length > 0 ? [...folders, name].join('/') : null
}
