/** E-mails as PDF, with what is attached to them, and that by itself. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { splitName } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { Document } from '../../../engines/documents/model.ts'
import { documentIn } from '../text/work.ts'
import { typesetText } from '../typeset/work.ts'
import type { MailOptions } from './options.ts'

/** @throws JobFailure as reading and setting it do */
export async function convert(task: Task<MailOptions>): Promise<Output[]> {
  const mail = await documentIn(task)
  const outputs = await typesetText(task, mail)
  const { attachments: use, pdfa, rebuild } = task.options
  const files = mail.attachments ?? []
  const [page] = outputs
  if (use === 'list' || files.length === 0 || !page) return outputs
  if (pdfa || (rebuild && use === 'embed')) {
    task.warn(message('mail.attachments_named'))
    return outputs
  }
  const { pagesOfAll, written } = await import('../pdf/join.ts')
  const { attachFiles, readDocument } = await import('../../../engines/pdf/edit/index.ts')
  if (use === 'embed') {
    const document = await readDocument(await readFile(page.path))
    attachFiles(
      document,
      files.map(({ name, bytes }) => ({ name, data: bytes })),
    )
    return [await written(task, document)]
  }
  const { joinDocuments } = await import('../../../engines/pdf/edit/join.ts')
  const members = (await saved(task, mail)).map(({ path, name = '' }, nth) => ({
    ...{ path, name, bytes: files[nth]?.bytes.length ?? 0 },
    format: splitName(name).format ?? '',
  }))
  const { size: bytes } = await stat(page.path)
  const first = { path: page.path, name: `${task.input.stem}.pdf`, bytes, format: 'pdf' }
  const pages = await pagesOfAll({ ...task, options: { rebuild } }, [first, ...members])
  return [await written(task, await joinDocuments(pages, { bookmarks: true }))]
}

/** Only what is attached. @throws JobFailure unsupported_input if nothing is */
export const attached = {
  async convert(task: Task): Promise<Output[]> {
    const files = await saved(task, await documentIn({ ...task, options: {} }))
    if (files.length === 0) throw new JobFailure('jobs.unsupported_input', message('mail.no_attachments'))
    return files
  },
}

/** Writes what is attached to a mail into the task's folder. */
const saved = ({ folder }: Pick<Task, 'folder'>, { attachments = [] }: Document): Promise<Output[]> =>
  Promise.all(
    attachments.map(async ({ name, bytes }, nth) => {
      const path = join(folder, `attachment-${nth}`)
      await writeFile(path, bytes)
      return { path, name }
    }),
  )
