/** Has LibreOffice open a file and save it in another format. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { textIn } from '../../../engines/common/text.ts'
import { readOfficeDocument } from '../../../engines/documents/office/document.ts'
import { convertDocument } from '../../../engines/documents/office/engine.ts'
import { chooseFonts, withFamilies } from '../../../engines/documents/office/fonts.ts'
import type { KitRequest } from '../../../engines/documents/office/kit.ts'
import type { OfficeDocument, OfficeKind } from '../../../engines/documents/office/model.ts'
import { readPlainDocument } from '../../../engines/documents/office/plain.ts'
import { checkPages, checkXls } from '../../../engines/documents/office/sheets.ts'
import { warnOfScripts } from '../scripts.ts'
import type { SaveOptions } from './options.ts'

const kindBySuffix = new Map<string, OfficeKind>([
  ['ods', 'sheet'],
  ['xls', 'sheet'],
  ['xlsx', 'sheet'],
  ['odg', 'slides'],
  ['odp', 'slides'],
  ['ppt', 'slides'],
  ['pptx', 'slides'],
])

/** The kind of document in the files of a source. */
export const kindOf = (source: string): OfficeKind => kindBySuffix.get(source) ?? 'text'

/** Suffixes of the flat forms of OpenDocument. */
const flatSuffix: Record<OfficeKind, string> = { text: 'fodt', sheet: 'fods', slides: 'fodp' }

interface Saved {
  /** In the task's folder. */
  path: string
  bytes: Uint8Array
  /** Whether the document certainly has something to see. */
  hasContent: boolean
}

/**
 * Saves the task's document.
 * @param target suffix of its new format
 * @param filterFor options of the export of a document
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large, too_many_pages, engine_crashed, engine_missing
 */
export async function officeFile(
  task: Task<SaveOptions>,
  target: string,
  filterFor: (document: OfficeDocument) => string = () => '',
): Promise<Saved> {
  task.progress(0, 'preparing')
  const { source, input, folder, options } = task
  const document =
    source === 'html' || source === 'txt'
      ? readPlainDocument(textIn(await readFile(input.path), task), source)
      : await readOfficeDocument(input.path, { folder, password: options.password, still: target === 'pdf' })
  if (document.kind !== kindOf(source))
    throw new JobFailure('jobs.corrupt_input', message('office.other_kind', { found: document.kind }))
  const { sheets = [] } = document
  if (target === 'pdf') checkPages(sheets)
  if (target === 'xls') checkXls(sheets)
  if (document.unsupportedChunks > 0)
    task.warn(message('word.chunks_lost', { count: document.unsupportedChunks }))
  if (document.hasFormulas && target === 'doc') task.warn(message('word.formulas_blank'))
  if (document.isCutOff) task.warn(message('office.cut_off'))
  const { damagedPictures, hasContent } = document
  if (damagedPictures > 0) task.warn(message('office.pictures_damaged', { count: damagedPictures }))
  const filter = filterFor(document)
  const { files: fonts, lacking, toBeNamed } = await chooseFonts(document.needs)
  if (target === 'pdf') warnOfScripts(task, lacking)
  task.progress(0.1, 'converting')
  let given: Pick<KitRequest, 'document' | 'suffix'> = { document: document.bytes, suffix: document.suffix }
  if (target === 'pdf' && (toBeNamed.size > 0 || options.landscape)) {
    const suffix = document.suffix === 'odg' ? 'fodg' : flatSuffix[document.kind]
    const flat = await convertDocument({ ...given, target: suffix, filter: '' }, fonts)
    // Text is not longer than V8 allows.
    const xml = 'file' in flat && flat.file.length < 2 ** 28 && withFamilies(flat.file, toBeNamed)
    if (xml) given = { document: options.landscape ? turned(xml) : xml, suffix }
    else if (options.landscape)
      throw 'problem' in flat ? failureOf(flat, filter) : new JobFailure('jobs.too_large')
  }
  let answer = await convertDocument({ ...given, target, filter }, fonts)
  if ('problem' in answer && answer.step === 'save' && target === 'ods') {
    // Some workbooks can only be saved so by way of the flat form of the format.
    const flat = await convertDocument({ ...given, target: 'fods', filter }, fonts)
    if ('file' in flat)
      answer = await convertDocument({ document: flat.file, suffix: 'fods', target, filter }, fonts)
  }
  if ('problem' in answer) throw failureOf(answer, filter)
  const path = join(folder, `output.${target}`)
  await writeFile(path, answer.file)
  return { path, bytes: answer.file, hasContent }
}

/** What says how large pages are and which way they lie. */
const PAPER = /\s(?:fo:page-(width|height)|style:print-orientation)="([^"]*)"/g

/** Has the pages of a flat OpenDocument file lie: OpenDocument 1.3 part 3, 17.1. A workbook leaves out the size that is usual. */
const turned = (flat: Buffer): Buffer =>
  Buffer.from(
    flat.toString().replace(/<style:page-layout-properties[^>]*/g, layout => {
      const said = Object.fromEntries(
        [...layout.matchAll(PAPER)].map(([, edge = '', value]) => [edge, value]),
      )
      const { width = '8.5in', height = '11in' } = said
      if (Number.parseFloat(width) >= Number.parseFloat(height)) return layout
      const lying = `fo:page-width="${height}" fo:page-height="${width}" style:print-orientation="landscape"`
      return layout.replace(PAPER, '').replace(/^\S+/, `$& ${lying}`)
    }),
  )

function failureOf(
  { step, problem }: { step: 'load' | 'save'; problem: string },
  filter: string,
): JobFailure {
  const cause = new Error(problem)
  if (step === 'load') return new JobFailure('jobs.corrupt_input', message('office.not_loaded'), { cause })
  const reason = message(filter.includes('"PageRange"') ? 'office.no_page_chosen' : 'office.nothing_to_print')
  return new JobFailure('jobs.unsupported_input', reason, { cause })
}
