import { text } from '../../messages/text.ts'
import { notify } from '../../ui/notify.ts'
import { goTo } from '../../ui/route.ts'
import type { PickedFile } from '../state/collect.ts'
import { useTable } from '../state/store.ts'

/** Maximum number of files in the table; a batch can hold twice as many. */
const MAX_FILES = 5000

/** Adds files, and reports what was left out. */
export function addFiles(files: readonly PickedFile[]): void {
  if (files.length === 0) {
    notify(text('convert.nothingFound'))
    return
  }
  const room = Math.max(0, MAX_FILES - useTable.getState().rows.size)
  const taken = files.slice(0, room)
  if (taken.length < files.length) {
    notify(text('convert.tooManyFiles', { taken: taken.length, left: files.length - taken.length }))
  }
  useTable.getState().addFiles(taken)
  goTo('convert')
}
