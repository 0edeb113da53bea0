/** Fills in a form from the rows of tables. */
import type { PDFDocument } from '@cantoo/pdf-lib'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { BundledFile } from '../../../catalogue/bundle.ts'
import { splitName } from '../../../catalogue/formats.ts'
import type { Task } from '../../../catalogue/task.ts'
import { fillForm, flattened, readDocument } from '../../../engines/pdf/edit/index.ts'
import { isTable, readTables } from '../data/work.ts'
import { warnOfScripts } from '../scripts.ts'
import { chosenPages, shortened } from './chosen-pages.ts'
import type { JoinOptions } from './join-options.ts'

/**
 * A document for each row below the heads, which name fields. What a form has no field for, or a field does not take, is warned of.
 * @throws JobFailure unsupported_input without a form, a table or rows; too_many_pages; and as reading the tables does
 */
export async function* filledForms(
  task: Task<JoinOptions>,
  form: Uint8Array,
  files: readonly BundledFile[],
): AsyncGenerator<PDFDocument> {
  const rows: Map<string, string>[] = []
  for (const file of files) {
    if (!isTable(file.format))
      throw new JobFailure('jobs.unsupported_input', message('pdf.no_table', { name: file.name }))
    const input = { ...file, stem: splitName(file.name).stem }
    for (const [heads = [], ...body] of await readTables({ ...task, source: file.format, input }))
      for (const row of body)
        if (row.some(Boolean)) rows.push(new Map(heads.map((head, column) => [head, row[column] ?? ''])))
  }
  if (rows.length === 0) throw new JobFailure('jobs.unsupported_input', message('pdf.no_values'))
  // Checks how many files there would be.
  chosenPages(rows.length, 'all')
  const unknown = new Set<string>()
  const refused = new Set<string>()
  const lacking = new Set<string>()
  for (const [index, row] of rows.entries()) {
    task.progress(index / rows.length, 'converting')
    const document = await readDocument(form)
    const found = await fillForm(document, row)
    if (found.fields.length === 0) throw new JobFailure('jobs.unsupported_input', message('pdf.no_fields'))
    if (found.unknown.length === row.size)
      throw new JobFailure(
        'jobs.unsupported_input',
        message('pdf.no_field_matches', { fields: shortened(found.fields) }),
      )
    for (const name of found.unknown) unknown.add(name)
    for (const script of found.lacking) lacking.add(script)
    for (const name of found.refused) refused.add(`${name} (${index + 1})`)
    yield task.options.flatten ? await flattened(document) : document
  }
  if (unknown.size > 0) task.warn(message('pdf.unknown_fields', { names: shortened([...unknown]) }))
  warnOfScripts(task, lacking)
  if (refused.size > 0) task.warn(message('pdf.values_refused', { names: shortened([...refused]) }))
}
