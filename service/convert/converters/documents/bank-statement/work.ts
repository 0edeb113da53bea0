/** Converts bank statements of any layout to tables of their transactions. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { OptionsOf } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { openPdf } from '../../../engines/pdf/content/document.ts'
import type { DrawnPage } from '../../../engines/pdf/ocr/model.ts'
import { Readers } from '../../../engines/pdf/ocr/readers.ts'
import { warnOfSource } from '../pdf/chosen-pages.ts'
import { withoutFurniture } from '../pdf/layout/furniture.ts'
import { linesOf, type Word } from '../pdf/layout/lines.ts'
import { drawForReading, readScan } from '../pdf/layout/scanned.ts'
import { inColumns, statementLine } from './cells.ts'
import { checksOf } from './checks.ts'
import { orderOf } from './dates.ts'
import { decimalOf } from './money.ts'
import type { statementOptions } from './options.ts'
import { readStatement } from './statement.ts'
import { csvOf, workbookOf } from './workbook.ts'

const PAGE_LIMIT = 2000
/** A page with fewer letters is a scan. */
const FEW_LETTERS = 20
/** A line from a date to an amount, which at the top of a page could be taken for a running head. */
const ROW = /^\d.*\d[.,]\d{2,3}\D{0,4}$/u

interface Page {
  index: number
  height: number
  words: Word[]
}

export async function convert(task: Task<OptionsOf<typeof statementOptions>>): Promise<Output[]> {
  const pages = await pagesOf(task)
  const kept = withoutFurniture(pages, text => ROW.test(text))
  const words = [...kept.values()].flat().map(word => word.text)
  const decimal = decimalOf(words)
  const read = pages.flatMap(({ index }) =>
    linesOf(kept.get(index)!).map(line => statementLine(line, index, decimal)),
  )
  const lines = decimal ? read : inColumns(read)
  const american = words.some(word => /^-?\$|^USD$/.test(word))
  const statement = readStatement(
    lines,
    orderOf(
      lines.map(line => line.text),
      american,
    ),
  )
  if (!statement || statement.accounts.length === 0)
    throw new JobFailure('jobs.unsupported_input', message('statement.no_transactions'))
  const failed = statement.accounts
    .flatMap(account => checksOf(account, statement.descending))
    .filter(({ passed }) => !passed)
  if (failed.length > 0) task.warn(message('statement.does_not_add_up', { checks: failed.length }))
  const csv = task.options.format === 'csv'
  const path = join(task.folder, csv ? 'output.csv' : 'output.xlsx')
  const decimals = decimal ? 2 : 0
  await writeFile(path, csv ? csvOf(statement, decimals) : workbookOf(statement, decimals))
  return [{ path, name: `${task.input.stem}.${csv ? 'csv' : 'xlsx'}` }]
}

async function pagesOf(task: Task<OptionsOf<typeof statementOptions>>): Promise<Page[]> {
  const { password, ocr } = task.options
  using pdf = await openPdf(task.input.path, password)
  if (pdf.pageCount > PAGE_LIMIT)
    throw new JobFailure(
      'jobs.too_many_pages',
      message('input.too_many_pages', { count: pdf.pageCount, limit: PAGE_LIMIT }),
    )
  warnOfSource(task, pdf, [])
  const pages: Page[] = []
  await using readers = new Readers(ocr.languages, task)
  const readLater = async (index: number, drawn: DrawnPage) => {
    const scan = await readScan(drawn, readers)
    if (scan) pages.push({ index, height: scan.height, words: scan.words })
  }
  for (let index = 0; index < pdf.pageCount; index++) {
    task.progress((index / pdf.pageCount) * 0.9, 'converting')
    using page = await pdf.page(index)
    if (!page) continue
    const { text, height } = page.content
    const letters = text.reduce((sum, item) => sum + item.text.length, 0)
    if (letters >= FEW_LETTERS || page.content.images.length === 0) {
      pages.push({ index, height, words: text.map((item, order) => ({ ...item, order })) })
      continue
    }
    const drawn = await drawForReading(page)
    if (drawn) await readers.start(readLater(index, drawn))
  }
  await readers.finished()
  return pages.sort((one, other) => one.index - other.index)
}
