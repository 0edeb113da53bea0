/** Reads the text of a picture, which is a scanned page: a screenshot, a photo of a letter, a fax. */

import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { openPdf } from '../../../engines/pdf/pdfium/document.ts'
import type { PdfAOptions, PictureTextOptions } from '../options.ts'
import { convert as convertToPdfA } from './pdfa.ts'
import { read, write } from './text.ts'

/** The long edge of A4, and of the largest page that is not taken for a photo of one, in points. */
const [SHEET, LARGEST] = [842, 1684]

/** @throws JobFailure corrupt_input, unsupported_input if there is no text */
export async function convert(task: Task<PictureTextOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const path = await pagesOf(task)
  const options = { ocr: { ...task.options.ocr, enabled: true }, pictures: 'none' as const }
  const reading = { ...task, input: { ...task.input, path }, options }
  const { document } = await read(reading)
  if (document.blocks.every(({ kind }) => kind === 'picture'))
    throw new JobFailure('jobs.unsupported_input', message('ocr.no_text'))
  return write(reading, document)
}

/** A PDF/A of the picture, with its text behind it. */
export const archived = {
  convert: async (
    task: Task<Omit<PdfAOptions, 'accessible' | 'password' | 'rebuild'>>,
  ): Promise<Output[]> => {
    const [pdf] = await task.pagesOf(task.input, {}, task.warn)
    const options = { ...task.options, accessible: false, rebuild: false }
    return convertToPdfA({ ...task, input: { ...task.input, path: pdf!.path }, options })
  },
}

/** A PDF of the picture. Letters are looked for in sizes of print, so a photo is as large as the sheet that it shows. */
async function pagesOf({ input, pagesOf, warn }: Task): Promise<string> {
  const [pdf] = await pagesOf(input, {}, warn)
  const edge = await longEdge(pdf!.path)
  if (edge <= LARGEST) return pdf!.path
  const [sheet] = await pagesOf(input, { density: Math.round((96 * edge) / SHEET) }, () => {})
  return sheet!.path
}

async function longEdge(path: string): Promise<number> {
  using pdf = await openPdf(path, undefined, { fields: false })
  const { width, height } = pdf.pageSize(0) ?? { width: 0, height: 0 }
  return Math.max(width, height)
}
