/** Uploads files to the service, a few at once, in the order they were added. */
import type { StagedFile } from '../../../../service/web/app/types.ts'
import { ApiError, canceled } from '../../../api/errors.ts'
import type { Added, stageFile, Upload } from '../../../api/upload.ts'
import { problemText } from '../../../ui/notifications/problem.ts'

const UPLOADS_AT_ONCE = 3

export interface IntakeState {
  intake: 'waiting' | 'sending' | 'measuring'
  sent: number
}

export interface IntakeDeps {
  stage: typeof stageFile
  later: (run: () => void, ms: number) => unknown
  progress(key: string, state: IntakeState): void
  staged(key: string, file: StagedFile): void
  failed(key: string, problem: string): void
}

export interface Intake {
  add(files: readonly (Added & { key: string })[]): void
  /** Cancels the upload of files. */
  abort(keys: readonly string[]): void
  /** Tries files again that the service did not answer for. */
  again(keys: Iterable<string>): void
  /** Whether a file can be tried again. */
  isLost(key: string): boolean
  /** The content of a file that waits for its upload or is being uploaded. */
  fileOf(key: string): File | undefined
  /** Whether any file is being uploaded or waits for it. */
  isBusy(): boolean
}

export function createIntake({ stage, later, progress, staged, failed }: IntakeDeps): Intake {
  const waiting = new Map<string, Added>()
  const uploads = new Map<string, { upload: Upload; added: Added }>()
  /** Files for which the service did not answer. */
  const lost = new Map<string, Added>()
  let holding = false

  const send = async (key: string, added: Added) => {
    progress(key, { intake: 'sending', sent: 0 })
    const upload = stage(added, sent => progress(key, { intake: sent < 1 ? 'sending' : 'measuring', sent }))
    uploads.set(key, { upload, added })
    try {
      staged(key, await upload.done)
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) {
        waiting.set(key, added)
        progress(key, { intake: 'waiting', sent: 0 })
        holding = true
        later(
          () => {
            holding = false
            next()
          },
          (error.retryAfter ?? 1) * 1000,
        )
      } else if (!(error instanceof ApiError && error.code === canceled)) {
        if (error instanceof ApiError && error.status === 0) lost.set(key, added)
        failed(key, problemText(error))
      }
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
    add(files) {
      for (const { key, ...added } of files) waiting.set(key, added)
      next()
    },
    abort(keys) {
      for (const key of keys) {
        waiting.delete(key)
        lost.delete(key)
        uploads.get(key)?.upload.abort()
      }
    },
    again(keys) {
      for (const key of keys) {
        const added = lost.get(key)
        if (!added) continue
        lost.delete(key)
        waiting.set(key, added)
        progress(key, { intake: 'waiting', sent: 0 })
      }
      next()
    },
    fileOf: key => (waiting.get(key) ?? uploads.get(key)?.added)?.file,
    isLost: key => lost.has(key),
    isBusy: () => waiting.size + uploads.size > 0,
  }
}
