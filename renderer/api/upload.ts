import type { StagedFile } from '../../service/app/types.ts'
import { ApiError, canceled, errorFromBody, unreachable } from './errors.ts'
import { announceSignedOut } from './signed-out.ts'

export interface Upload {
  done: Promise<StagedFile>
  abort(): void
}

/**
 * Sends one file to be staged. XMLHttpRequest, because `fetch` tells nothing of the progress of a body.
 * `onProgress` gets the share sent, 0 to 1; after 1 the service is still measuring the file.
 */
export function uploadFile(file: File, onProgress: (share: number) => void): Upload {
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
    form.append('file', file, file.name)
    request.open('POST', '/app/files')
    request.setRequestHeader('accept', 'application/json')
    request.send(form)
  })
  return { done, abort: () => request.abort() }
}
