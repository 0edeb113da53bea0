/** Joins pictures, PDFs and office files into one PDF. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { readBundle } from '../../../catalogue/bundle.ts'
import { splitName } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readDocument, writeDocument } from '../../../engines/pdf/edit/index.ts'
import { type JoinedFile, joinDocuments } from '../../../engines/pdf/edit/join.ts'
import { packed } from '../../../engines/pdf/qpdf/index.ts'
import type { JoinOptions } from './join-options.ts'

/**
 * A file that cannot be read is left out, with a warning.
 * @throws JobFailure why the first one cannot be read, if that is so of all of them
 */
export async function convert(task: Task<JoinOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const { input, options, folder } = task
  const members = await readBundle(input.path, folder)
  const files: JoinedFile[] = []
  let failure = new JobFailure('jobs.corrupt_input')
  for (const [index, { path, name, bytes, format }] of members.entries()) {
    task.progress((0.9 * index) / members.length, 'converting')
    const { stem } = splitName(name)
    try {
      const { password, rebuild } = options
      // What a PDF contains stays as it is; protection and damage are dealt with.
      const own = { password, rebuild, ...(format === 'pdf' ? { compression: 'none' } : {}) }
      const file = { path, name, stem, bytes, format }
      const outputs = await task.pagesOf(file, own, warning => {
        if (warning.key !== 'same.kept') task.warn(warning)
      })
      for (const output of outputs)
        files.push({ title: stem, document: await readDocument(await readFile(output.path)) })
    } catch (error) {
      if (!(error instanceof JobFailure) || error.code === 'jobs.disk_full') throw error
      if (files.length === 0) failure = error
      task.warn(message('input.left_out', { name }))
      task.warn(error.reason)
    }
  }
  if (files.length === 0) throw failure
  const joined = await joinDocuments(files, options)
  const path = join(folder, 'output.pdf')
  await writeFile(path, await packed(await writeDocument(joined)))
  return [{ path }]
}
