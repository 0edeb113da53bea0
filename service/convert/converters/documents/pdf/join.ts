/** Joins pictures, PDFs and office files into one PDF, or uses them together: as stamps, attachments, values of a form, or two to compare. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PDFDocument } from '@cantoo/pdf-lib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { type BundledFile, readBundle } from '../../../catalogue/bundle.ts'
import { splitName } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { claimAccess, claimsAccess } from '../../../engines/pdf/accessible/index.ts'
import { attachFiles, overlayPages, readDocument, writeDocument } from '../../../engines/pdf/edit/index.ts'
import { type JoinedFile, joinDocuments } from '../../../engines/pdf/edit/join.ts'
import { packed } from '../../../engines/pdf/qpdf/index.ts'
import { pageFilter } from '../../images/write/page-list.ts'
import { shortened } from './chosen-pages.ts'
import { compareFiles } from './compare.ts'
import { filledForms } from './fill.ts'
import type { JoinOptions } from './join-options.ts'

type JoinTask = Task<JoinOptions>
/** Of which files become pages. */
type PageTask = Task<Partial<Pick<JoinOptions, 'accessible' | 'password' | 'rebuild'>>>

/** What is done with several files. A new use of them is a row here. */
const USES: Record<
  JoinOptions['combine'],
  (task: JoinTask, files: readonly BundledFile[]) => Promise<Output[]>
> = {
  async join(task, files) {
    const pages = await pagesOfAll(task, files)
    const others = pages.filter(({ document }) => !claimsAccess(document))
    const joined = await joinDocuments(pages, task.options)
    if (others.length === 0) claimAccess(joined, pages[0]!)
    else if (task.options.accessible)
      task.warn(message('accessible.files', { names: shortened(others.map(({ title }) => title)) }))
    return [await written(task, joined)]
  },
  async stamp(task, [first, ...others]) {
    const { options } = task
    const look = { ...options, opacity: options.opacity / 100 }
    const laid = await pagesOf(task, first!)
    const outputs: Output[] = []
    for (const { title, document } of await pagesOfAll(task, others)) {
      const isChosen = pageFilter(options.pages, document.getPageCount())
      const pages = document.getPages().filter((_, index) => isChosen(index))
      await overlayPages(document, pages, laid, look)
      outputs.push(await written(task, document, `${title}.pdf`, outputs.length))
    }
    return outputs
  },
  async attach(task, [first, ...others]) {
    const document = await pagesOf(task, first!)
    const files = others.map(async ({ name, path }) => ({ name, data: await readFile(path) }))
    attachFiles(document, await Promise.all(files))
    return [await written(task, document, `${splitName(first!.name).stem}.pdf`)]
  },
  async fill(task, [first, ...others]) {
    const form = await writeDocument(await pagesOf(task, first!))
    const outputs: Output[] = []
    for await (const document of filledForms(task, form, others)) {
      const name = `${splitName(first!.name).stem}-${outputs.length + 1}.pdf`
      outputs.push(await written(task, document, name, outputs.length))
    }
    return outputs
  },
  async compare(task, files) {
    if (files.length !== 2) throw new JobFailure('jobs.unsupported_input', message('pdf.compare_two'))
    const [before, after] = [await pagesOf(task, files[0]!), await pagesOf(task, files[1]!)]
    const { marked, differences } = await compareFiles(task, before, after)
    const path = join(task.folder, 'differences.json')
    await writeFile(path, `${JSON.stringify(differences, null, 2)}\n`)
    return [await written(task, marked, 'differences.pdf'), { path, name: 'differences.json' }]
  },
}

/** @throws JobFailure why the first file cannot be read, if that is so of all that are needed */
export async function convert(task: JoinTask): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { combine } = task.options
  const files = await readBundle(task.input.path, task.folder)
  if (combine !== 'join' && files.length < 2)
    throw new JobFailure('jobs.unsupported_input', message('pdf.one_file_only'))
  return USES[combine](task, files)
}

/** A file that cannot be read is left out, with a warning. @throws JobFailure why the first one cannot be read, if that is so of all of them */
export async function pagesOfAll(task: PageTask, members: readonly BundledFile[]): Promise<JoinedFile[]> {
  const files: JoinedFile[] = []
  let failure = new JobFailure('jobs.corrupt_input')
  for (const [index, member] of members.entries()) {
    task.progress((0.9 * index) / members.length, 'converting')
    try {
      const document = await pagesOf(task, member)
      files.push({ title: splitName(member.name).stem, document })
    } catch (error) {
      if (!(error instanceof JobFailure) || error.code === 'jobs.disk_full') throw error
      if (files.length === 0) failure = error
      task.warn(message('input.left_out', { name: member.name }))
      task.warn(error.reason)
    }
  }
  if (files.length === 0) throw failure
  return files
}

/** A file as PDF. @throws JobFailure as its conversion does */
async function pagesOf(task: PageTask, { path, name, bytes, format }: BundledFile): Promise<PDFDocument> {
  const { accessible, password, rebuild } = task.options
  // What a PDF contains stays as it is; protection and damage are dealt with.
  const own = { accessible, password, rebuild, ...(format === 'pdf' ? { compression: 'none' } : {}) }
  const file = { path, name, stem: splitName(name).stem, bytes, format }
  const outputs = await task.pagesOf(file, own, warning => {
    if (warning.key !== 'same.kept') task.warn(warning)
  })
  const documents = await Promise.all(outputs.map(async each => readDocument(await readFile(each.path))))
  const parts = documents.map(document => ({ title: '', document }))
  return parts.length > 1 ? joinDocuments(parts, { bookmarks: false }) : documents[0]!
}

export async function written(
  { folder }: Pick<Task, 'folder'>,
  document: PDFDocument,
  name?: string,
  index = 0,
): Promise<Output> {
  const path = join(folder, `output-${index}.pdf`)
  await writeFile(path, await packed(await writeDocument(document)))
  return { path, ...(name && { name }) }
}
