import { IconClipboardCopy } from '@tabler/icons-react'
import { outputUrl } from '../jobs/save.ts'
import { text } from '../messages/text.ts'
import { notify } from '../ui/notifications/notify.ts'
import type { Action, Subject } from './action.ts'

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
