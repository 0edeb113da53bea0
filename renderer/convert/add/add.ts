import { text } from '../../messages/text.ts'
import { notify } from '../../ui/notifications/notify.ts'
import { goTo } from '../../ui/route.ts'
import { useRemoval } from '../state/rows/removal.ts'
import { useTable } from '../state/store.ts'
import { mergeLivePhotos, type PickedFile, withTextFolders } from '../state/submit/collect.ts'

/** Maximum number of files in the table; a batch can hold twice as many. */
const MAX_FILES = 5000

const { compare } = new Intl.Collator(undefined, { numeric: true })
const byName = (a: PickedFile, b: PickedFile) =>
  compare(a.relativePath ?? a.file.name, b.relativePath ?? b.file.name)

/** Adds files in the natural order of their names, in which 2 comes before 10, and reports what was left out. */
export async function addFiles(picked: readonly PickedFile[]): Promise<void> {
  if (picked.length === 0) {
    notify(text('convert.nothingFound'))
    return
  }
  const documents = await withTextFolders(picked)
  const files = await mergeLivePhotos(documents)
  const videos = documents.length - files.length
  if (videos > 0) notify(text('convert.livePhotos', { videos }))
  const room = Math.max(0, MAX_FILES - useTable.getState().rows.size + useRemoval.getState().hidden.size)
  const taken = files.toSorted(byName).slice(0, room)
  if (taken.length < files.length) {
    notify(text('convert.tooManyFiles', { taken: taken.length, left: files.length - taken.length }))
  }
  useTable.getState().addFiles(taken)
  goTo('convert')
}
