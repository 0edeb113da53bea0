import { text } from '../messages/text.ts'
import { useSession } from '../shell/session.ts'
import { tell } from '../ui/notify.ts'
import { goTo } from '../ui/route.ts'
import type { PickedFile } from './collect.ts'
import { useConvert } from './store.ts'

const defaultBatch = 1000

/** Takes files in, at most as many as the service allows in one batch, and says what was left out. */
export function addFiles(files: readonly PickedFile[]): void {
  if (files.length === 0) {
    tell(text('convert.nothingFound'))
    return
  }
  const limit = useSession.getState().catalogue?.maxBatchFiles ?? defaultBatch
  const room = Math.max(0, limit - useConvert.getState().entries.size)
  const taken = files.slice(0, room)
  if (taken.length < files.length) {
    tell(text('convert.tooManyFiles', { taken: taken.length, left: files.length - taken.length }))
  }
  useConvert.getState().addFiles(taken)
  goTo('convert')
}
