import { access, constants, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'
import { cleanName, portableFolders } from '../names/names.ts'
import { checkSize, type UploadedFile } from './upload.ts'

/**
 * A file of this machine that is taken in where it is.
 * @throws RequestError request.no_files, request.empty_file, request.file_too_large
 */
export async function localFile(path: string, maxBytes: number): Promise<UploadedFile> {
  const name = cleanName(path)
  const found = isAbsolute(path) ? await readable(path) : undefined
  if (!found?.isFile()) throw new RequestError('request.no_files', message('request.no_such_file', { name }))
  if (found.size === 0) throw new RequestError('request.empty_file', message('request.empty_file', { name }))
  checkSize(found.size, maxBytes)
  return { path, name, bytes: found.size }
}

const readable = async (path: string) => {
  try {
    await access(path, constants.R_OK)
    return await stat(path)
  } catch {
    return undefined
  }
}

/**
 * The path of a file inside the folder it was dropped with: plain folder names with `/` between them, and its name.
 * @returns null for a file that was dropped by itself
 */
export function relativePathOf(path: string | undefined, name: string): string | null {
  const folders = portableFolders(path ?? '')
  return folders.length > 0 ? [...folders, name].join('/') : null
}
