/** Uploads files to the service, a few at once, in the order they were added. */
import type { StagedFile } from '../../../../service/web/app/types.ts'
import { ApiError, canceled, isUnanswered } from '../../../api/errors.ts'
import type { Added, stageFile, Upload } from '../../../api/upload.ts'
import { problemText } from '../../../ui/notifications/problem.ts'

const UPLOADS_AT_ONCE = 3
const FIRST_PATIENCE = 1
const LONGEST_PATIENCE = 10

/** A file that was moved or deleted cannot be sent either, and a request does not say which it was. */
const isReadable = async (file: File): Promise<boolean> => {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}

export interface IntakeDeps {
  stage: typeof stageFile
  later: (run: () => void, ms: number) => unknown
  progress(key: string, state: { intake: 'waiting' | 'sending' | 'measuring'; sent: number }): void
  staged(key: string, file: StagedFile): void
  failed(key: string, problem: string): void
}

export function createIntake({ stage, later, progress, staged, failed }: IntakeDeps) {
  const waiting = new Map<string, Added>()
  const uploads = new Map<string, { upload: Upload; added: Added }>()
  let holding = false
  /** Seconds until a service that does not answer is tried again. */
  let patience = FIRST_PATIENCE

  const hold = (key: string, added: Added, seconds: number) => {
    waiting.set(key, added)
    progress(key, { intake: 'waiting', sent: 0 })
    holding = true
    later(() => {
      holding = false
      next()
    }, seconds * 1000)
  }

  const send = async (key: string, added: Added) => {
    progress(key, { intake: 'sending', sent: 0 })
    const upload = stage(added, sent => progress(key, { intake: sent < 1 ? 'sending' : 'measuring', sent }))
    uploads.set(key, { upload, added })
    try {
      staged(key, await upload.done)
      patience = FIRST_PATIENCE
    } catch (error) {
      if (!(error instanceof ApiError)) failed(key, problemText(error))
      else if (error.status === 429) hold(key, added, error.retryAfter ?? 1)
      else if (isUnanswered(error) && (await isReadable(added.file))) {
        const isFirst = !holding
        hold(key, added, patience)
        if (isFirst) patience = Math.min(2 * patience, LONGEST_PATIENCE)
      } else if (error.code !== canceled) failed(key, problemText(error))
    } finally {
      uploads.delete(key)
    }
    next()
  }

  const next = () => {
    for (const [key, added] of waiting) {
      if (holding || uploads.size >= UPLOADS_AT_ONCE) return
      waiting.delete(key)
      void send(key, added)
    }
  }

  return {
    add(files: readonly (Added & { key: string })[]) {
      for (const { key, ...added } of files) waiting.set(key, added)
      next()
    },
    /** Cancels the upload of files. */
    abort(keys: readonly string[]) {
      for (const key of keys) {
        waiting.delete(key)
        uploads.get(key)?.upload.abort()
      }
    },
    /** The content of a file that waits for its upload or is being uploaded. */
    fileOf: (key: string) => (waiting.get(key) ?? uploads.get(key)?.added)?.file,
    /** Whether any file is being uploaded or waits for it. */
    isBusy: () => waiting.size + uploads.size > 0,
  }
}
