/** Saving results: download URLs, and several results in a few ZIP files. */
import type { AppJob } from '../../service/web/app/types.ts'
import { desktop } from '../api/desktop.ts'
import { addressed } from '../api/session.ts'
import { text } from '../messages/text.ts'
import { notify } from '../ui/notifications/notify.ts'

/** A URL with more job ids than this would exceed what servers accept (16 kB of headers). */
const idsPerZip = 200

export const outputUrl = (id: string): string => addressed(`/convert/job/${encodeURIComponent(id)}/download`)

/** The URLs of the ZIPs needed to save all these jobs. */
export function zipUrls(ids: readonly string[]): string[] {
  const urls: string[] = []
  for (let start = 0; start < ids.length; start += idsPerZip) {
    urls.push(addressed(`/app/download?ids=${ids.slice(start, start + idsPerZip).join(',')}`))
  }
  return urls
}

/** Saves results: to a folder chosen by the person if there is a desktop shell, otherwise as ZIP files. */
export async function saveAll(jobs: readonly AppJob[]): Promise<void> {
  const { saveOutputs: saveToFolder } = desktop()
  if (saveToFolder) {
    await saveToFolder(
      jobs.flatMap(job => (job.output ? [{ jobId: job.id, fileName: job.output.fileName }] : [])),
    )
    return
  }
  const [only] = jobs.length === 1 ? jobs : []
  const urls = only ? [outputUrl(only.id)] : zipUrls(jobs.map(job => job.id))
  for (const url of urls) startDownload(url)
  if (urls.length > 1) notify(text('jobs.saveAllParts', { parts: urls.length }))
}

/** Starts a download like a click on a link. */
function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
