/** The tables of a PDF as those of a workbook, each named by its page and its caption. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../../catalogue/task.ts'
import type { DataTable } from '../../../../engines/data/values.ts'
import { sheetNames } from '../../../../engines/data/workbook/write.ts'
import type { DataOptions } from '../../data/options.ts'
import { convert as convertData } from '../../data/work.ts'
import { CAPTION } from '../layout/markers.ts'
import { type Block, type Table as PdfTable, plainText, type TextSpan } from '../layout/model.ts'
import { readPdf } from '../layout/read.ts'
import { warnOf } from '../text.ts'
import { printedRows } from './printed.ts'

/** @throws JobFailure encrypted_input, corrupt_input, too_many_pages, unsupported_input if there is no table */
export const convert = (task: Task<DataOptions>): Promise<Output[]> =>
  convertData(task, async () => ({ tables: await readTables(task) }))

async function readTables(task: Task<DataOptions>): Promise<DataTable[]> {
  const { password, pages, ocr, values, header = true } = task.options
  const result = await readPdf(task.input.path, {
    password,
    pages,
    recognition: ocr && { ...ocr, cores: task.cores, folder: task.folder },
    progress: fraction => task.progress(fraction / 2, 'converting'),
  })
  warnOf({ ...result, lostPictures: 0 }, task)
  const { blocks } = result.document
  const tables = blocks.flatMap((block, index) =>
    block.kind === 'table' ? { block, name: `p${block.page + 1} ${captionOf(blocks, index)}` } : [],
  )
  if (tables.length === 0) throw new JobFailure('jobs.unsupported_input', message('data.no_tables'))
  const language = result.document.language || 'und'
  const isJson = task.target === 'json'
  const read = tables.map(({ block, name }): DataTable => {
    const { rows, headerRows } = block
    const texts = rows.map(row => row.map(cell => (cell ? textOf(cell.content) : '')))
    const isNamed = isJson && header && headerRows > 1
    const own = isNamed ? [headOf(block), ...texts.slice(headerRows)] : texts
    return {
      name,
      rows: values === 'text' ? own : printedRows(own, isNamed ? 1 : headerRows, language),
    }
  })
  const names = sheetNames(read)
  return read.map((table, index) => ({ ...table, name: names[index]! }))
}

/** The line that names a table, above or below it, or the heading above it; empty if there is neither. */
function captionOf(blocks: readonly Block[], index: number): string {
  const textAt = (at: number) => {
    const block = blocks[at]
    const isHere = block && 'content' in block && block.page === blocks[index]!.page
    return isHere ? plainText(block.content).trim() : ''
  }
  const beside = [index - 1, index + 1].map(textAt).find(text => CAPTION.test(text))
  return beside ?? (blocks[index - 1]?.kind === 'heading' ? textAt(index - 1) : '')
}

const REFERENCE = /^[\s*†‡§,a-z]*$/u

/** The text of a cell; a number is without the letters and stars that refer to notes. */
function textOf(content: readonly TextSpan[]): string {
  const isReference = ({ text, superscript, footnote }: TextSpan) =>
    footnote !== undefined || (superscript && REFERENCE.test(text))
  const withoutNotes = plainText(content.filter(span => !isReference(span))).trim()
  return /\d/.test(withoutNotes) && !/\p{L}/u.test(withoutNotes) ? withoutNotes : plainText(content).trim()
}

/** Heads of several rows as one: what stands above each column, from top to bottom. */
function headOf({ rows, headerRows }: PdfTable): string[] {
  return rows[0]!.map((_, column) => {
    const above = rows.slice(0, headerRows).map(row => {
      const at = row.findLastIndex((cell, from) => cell && from <= column && from + cell.columns > column)
      return at < 0 ? '' : textOf(row[at]!.content)
    })
    return [...new Set(above)].join(' ').trim()
  })
}
