import type { StagedFile } from '../../service/web/app/types.ts'
import { api } from './client.ts'
import { desktop } from './desktop.ts'
import { ApiError, canceled, errorFromBody, unreachable } from './errors.ts'
import { open } from './session.ts'
import { announceSignedOut } from './signed-out.ts'

export interface Upload {
  done: Promise<StagedFile>
  abort(): void
}

/** A file as it was added to the page. */
export interface Added {
  file: File
  /** Its path in the dropped folder, whose name comes first, separated by `/`; null for a file dropped by itself. */
  relativePath: string | null
  /** When it was added, in milliseconds since 1970; fractions keep the order of files added at once. */
  addedAt: number
}

/** Stages one file. `onProgress` gets the fraction sent, 0 to 1; after 1 the service is still analysing the file. */
export function stageFile(added: Added, onProgress: (share: number) => void): Upload {
  const path = desktop().pathForFile?.(added.file)
  if (!path) return uploadFile(added, onProgress)
  onProgress(1)
  return stageLocalFile(path, added)
}

/** Stages a file of this machine by its path; the service reads it in place. */
function stageLocalFile(path: string, { relativePath, addedAt }: Added): Upload {
  let aborted = false
  const stage = async () => {
    const staged = await api.stageLocalFile({ path, addedAt, ...(relativePath ? { relativePath } : {}) })
    if (!aborted) return staged
    api.removeFiles([staged.id]).catch(() => {})
    throw new ApiError(0, canceled)
  }
  return {
    done: stage(),
    abort: () => {
      aborted = true
    },
  }
}

/** Uploads a file. XMLHttpRequest, because `fetch` does not report upload progress. */
function uploadFile({ file, relativePath, addedAt }: Added, onProgress: (share: number) => void): Upload {
  const request = new XMLHttpRequest()
  const done = new Promise<StagedFile>((resolve, reject) => {
    request.upload.addEventListener('progress', event => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total)
    })
    request.upload.addEventListener('load', () => onProgress(1))
    request.addEventListener('error', () => reject(new ApiError(0, unreachable)))
    request.addEventListener('abort', () => reject(new ApiError(0, canceled)))
    request.addEventListener('load', () => {
      if (request.status === 401) announceSignedOut()
      if (request.status >= 200 && request.status < 300) {
        try {
          resolve(JSON.parse(request.responseText) as StagedFile)
        } catch {
          reject(new ApiError(request.status, unreachable))
        }
      } else {
        reject(errorFromBody(request.status, request.responseText, request.getResponseHeader('retry-after')))
      }
    })
    const form = new FormData()
    form.append('addedAt', String(addedAt))
    form.append('modified', String(file.lastModified))
    if (relativePath) form.append('path', relativePath)
    form.append('file', file, file.name)
    open(request, 'POST', '/app/files')
    request.setRequestHeader('accept', 'application/json')
    request.send(form)
  })
  return { done, abort: () => request.abort() }
}
