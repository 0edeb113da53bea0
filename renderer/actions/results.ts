/** What can be done with results. */
import {
  IconClipboardCopy,
  IconDeviceFloppy,
  IconDownload,
  IconExternalLink,
  IconFolderSearch,
} from '@tabler/icons-react'
import { api } from '../api/client.ts'
import { desktop } from '../api/desktop.ts'
import { outputUrl, saveAll } from '../jobs/save.ts'
import { text } from '../messages/text.ts'
import { notify } from '../ui/notifications/notify.ts'
import type { Action, Subject } from './action.ts'

/** A browser cannot open a folder, so everything can be downloaded there, saved or not. */
const resultsOf = ({ ending: { kept, saved } }: Subject) =>
  [...kept, ...(desktop().reveal ? [] : saved.filter(({ isKept }) => isKept))].map(({ job }) => job)

export const download: Action = {
  name: on => text(resultsOf(on).length > 1 ? 'convert.downloadAll' : 'common.download'),
  nameFor: name => text('convert.download', { name }),
  Icon: IconDownload,
  when: on => resultsOf(on).length > 0,
  do: on => saveAll(resultsOf(on)),
}

/** Opens the only result in the system's program for it. */
export const openResult: Action = {
  name: () => text('common.open'),
  nameFor: name => text('convert.open', { name }),
  Icon: IconExternalLink,
  when: ({ ending: { saved } }) => saved.length === 1 && desktop().openOutput !== undefined,
  do: async ({ ending: { saved } }) => saved[0] && desktop().openOutput?.(saved[0].job.id),
}

export const showInFolder: Action = {
  name: () => text('convert.showFolder'),
  nameFor: name => text('jobs.showInFolder', { name }),
  Icon: IconFolderSearch,
  when: ({ ending: { saved } }) => saved.length > 0 && desktop().reveal !== undefined,
  do: async ({ ending: { saved } }) => saved[0] && desktop().reveal?.(saved[0].path),
}

/** Results that were not saved, since their name was taken. */
const takenOf = ({ rows }: Subject) =>
  rows.flatMap(({ item, needsReconversion }) => {
    if (needsReconversion || item?.state !== 'succeeded' || item.error?.code !== 'destination.taken')
      return []
    return item.id === null ? [] : { batchId: item.batchId, id: item.id }
  })

export const saveNumbered: Action = {
  name: () => text('convert.saveWithNumber'),
  nameFor: name => text('convert.saveNumbered', { name }),
  Icon: IconDeviceFloppy,
  when: on => takenOf(on).length > 0,
  do: on => Promise.all(takenOf(on).map(({ batchId, id }) => api.saveItem(batchId, id))),
}

/** What goes into the clipboard of the only result; a file that is neither a picture nor a text leaves its path. */
function contentOf({
  ending: { kept, saved },
}: Subject): { kind: 'picture' | 'text' | 'path'; of: string } | null {
  const [only, another] = [...saved, ...kept.map(({ job }) => ({ job, path: null, isKept: true }))]
  if (!only || another || !navigator.clipboard) return null
  const { job, path, isKept } = only
  const { contentType = '', fileCount = 0 } = (isKept && job.output) || {}
  const isText = /^text\/|json|xml/.test(contentType)
  const kind = isText ? 'text' : contentType.startsWith('image/') ? 'picture' : null
  if (fileCount === 1 && kind) return { kind, of: outputUrl(job.id) }
  return path === null ? null : { kind: 'path', of: path }
}

/** Clipboards take pictures as PNG. */
async function pngOf(url: string): Promise<Blob> {
  const picture = await createImageBitmap(await (await fetch(url)).blob())
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  return canvas.convertToBlob()
}

/** Puts a result into the clipboard. */
export const copy: Action = {
  name: on => text(contentOf(on)?.kind === 'path' ? 'convert.copyPath' : 'convert.copyResult'),
  Icon: IconClipboardCopy,
  when: on => contentOf(on) !== null,
  async do(on) {
    const content = contentOf(on)
    if (!content) return
    const { kind, of } = content
    // A promise, since what a browser allows after a press it refuses a moment later.
    const made = kind === 'picture' ? pngOf(of) : kind === 'path' ? of : fetch(of).then(read => read.text())
    const type = kind === 'picture' ? 'image/png' : 'text/plain'
    await navigator.clipboard.write([new ClipboardItem({ [type]: made })])
    notify(text('common.copied'))
  },
}
