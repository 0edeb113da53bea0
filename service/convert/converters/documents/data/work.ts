/** Tables and other data in one another's formats: CSV, Excel, OpenDocument, JSON and YAML; tables also from PDF, and as text documents. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { readCsv, writeCsv } from '../../../engines/data/csv.ts'
import { jsonPieces, readJson, writeJson } from '../../../engines/data/json.ts'
import { readCalendar, writeCalendar } from '../../../engines/data/personal/calendar.ts'
import type { Written } from '../../../engines/data/personal/columns.ts'
import { readContacts, writeContacts } from '../../../engines/data/personal/contacts.ts'
import { DataError, type DataTable, textOf, type Value } from '../../../engines/data/values.ts'
import { readWorkbook } from '../../../engines/data/workbook/read.ts'
import {
  CELL_LETTERS,
  SHEET_COLUMNS,
  SHEET_ROWS,
  writeWorkbook,
} from '../../../engines/data/workbook/write.ts'
import { readYaml, writeYaml } from '../../../engines/data/yaml.ts'
import { plainText } from '../../../engines/documents/read/decode.ts'
import { writeText } from '../text/work.ts'
import { documentOf } from './document.ts'
import type { DataOptions, TablePdfOptions } from './options.ts'
import {
  checkArea,
  itemsOf,
  MOST_TEXT_CELLS,
  recognisedRows,
  tablesOf,
  valueOfTables,
  withComma,
} from './tables.ts'

type DataTask = Task<DataOptions>
/** What a file holds: tables, or values within values. */
type Data = { tables: DataTable[] } | { value: Value }

const DELIMITERS = { auto: undefined, comma: ',', semicolon: ';', tab: '\t', pipe: '|' }

/** @throws JobFailure corrupt_input, encrypted_input, too_large, unsupported_input */
export async function convert(task: DataTask, read = READERS[task.source]!): Promise<Output[]> {
  task.progress(0, 'preparing')
  try {
    const data = await read(task)
    task.progress(0.5, 'converting')
    const write = WRITERS[task.target]
    if (write) return await write(data, task)
    const document = documentOf(fullTablesIn(data, task, MOST_TEXT_CELLS), task.input.stem, printFor(task))
    return await writeText({ ...task, options: {} }, document)
  } catch (error) {
    throw failureOf(error)
  }
}

function failureOf(error: unknown): unknown {
  if (error instanceof DataError)
    return new JobFailure(
      'jobs.corrupt_input',
      error.line === undefined ? undefined : message('data.invalid', { line: error.line }),
      { cause: error },
    )
  // Of values nested thousands of levels deep.
  return error instanceof RangeError && /call stack/.test(error.message)
    ? new JobFailure('jobs.too_large', undefined, { cause: error })
    : error
}

export const isTable = (format: string) => Object.hasOwn(READERS, format)

const READERS: Record<string, (task: DataTask) => Promise<Data>> = {
  csv: async task => {
    const { delimiter = 'auto', decimals = 'point', values = 'recognised' } = task.options
    const { rows, hasStrayQuotes } = readCsv(await textIn(task), DELIMITERS[delimiter])
    if (hasStrayQuotes) task.warn(message('data.stray_quotes'))
    const table = values === 'text' ? rows : recognisedRows(rows, decimals)
    return { tables: [{ name: task.input.stem, rows: table }] }
  },
  json: async task => ({ value: readJson(await textIn(task)) }),
  yaml: async task => ({ value: readYaml(await textIn(task)) }),
  ics: async task => ({ tables: [readCalendar(await textIn(task), task.input.stem)] }),
  vcf: async task => {
    const { stem } = task.input
    const { table, media, left } = readContacts(await textIn(task), stem, task.options.columns ?? 'google')
    if (media > 0) task.warn(message('data.media_left', { count: media }))
    warnOfColumns(left, task)
    return { tables: [table] }
  },
  xlsx: async task => workbook(task, task.input.path),
  ods: async task => workbook(task, await saved(task, 'xlsx')),
  xls: async task => workbook(task, await saved(task, 'xlsx')),
}

const WRITERS: Record<string, (data: Data, task: DataTask) => Promise<Output[]>> = {
  csv: async (data, task) => {
    const { delimiter = 'comma', byteOrderMark } = task.options
    const tables = fullTablesIn(data, task)
    const print = printFor(task)
    const outputs: Output[] = []
    for (const [index, table] of tables.entries()) {
      const text = writeCsv(table, DELIMITERS[delimiter] ?? ',', print)
      const path = join(task.folder, `output-${index}.csv`)
      await writeFile(path, (byteOrderMark ? '\uFEFF' : '') + text)
      outputs.push(tables.length > 1 ? { path, name: `${task.input.stem}-${table.name}.csv` } : { path })
    }
    return outputs
  },
  json: (data, task) => {
    const [only, ...others] = 'tables' in data ? tablesIn(data, task) : []
    const isOne = only && others.length === 0
    const pieces = isOne && jsonPieces(itemsOf(only, task.options.header ?? true))
    return written(task, 'json', pieces || writeJson(valueIn(data, task)))
  },
  yaml: (data, task) => written(task, 'yaml', writeYaml(valueIn(data, task))),
  ics: (data, task) => listed(task, 'ics', writeCalendar(tablesIn(data, task))),
  vcf: (data, task) => listed(task, 'vcf', writeContacts(tablesIn(data, task))),
  xlsx: async (data, task) => written(task, 'xlsx', sheets(data, task)),
  ods: async (data, task) => {
    const [{ path = '' } = {}] = await written(task, 'xlsx', sheets(data, task))
    return [{ path: await saved({ ...task, source: 'xlsx', input: { ...task.input, path } }, 'ods') }]
  },
}

/** Events or people. @throws JobFailure unsupported_input if no columns are named as theirs */
function listed(task: DataTask, suffix: string, found: Written | undefined): Promise<Output[]> {
  const names = suffix === 'ics' ? 'Subject, Start Date, Start Time' : 'First Name, Last Name, Email, Phone'
  if (!found) throw new JobFailure('jobs.unsupported_input', message('data.no_such_columns', { names }))
  warnOfColumns(found.unknown, task)
  return written(task, suffix, found.text)
}

function warnOfColumns(names: readonly string[], { warn }: DataTask): void {
  if (names.length > 0) warn(message('data.columns_left', { columns: names.join(', ').slice(0, 120) }))
}

/** Pages of a table, as LibreOffice lays out its workbook. */
export const ofPages = {
  async convert(task: Task<TablePdfOptions>): Promise<Output[]> {
    const [{ path = '' } = {}] = await convert({ ...task, target: 'xlsx' })
    const { convert: toPages } = await import('../office/work.ts')
    return toPages({ ...task, source: 'xlsx', input: { ...task.input, path } })
  },
}

const printFor = ({ options }: DataTask) => (options.decimals === 'comma' ? withComma : textOf)

const textIn = async (task: DataTask) => plainText(await readFile(task.input.path), task)

async function written(
  { folder }: DataTask,
  suffix: string,
  content: string | Uint8Array | Iterable<string>,
): Promise<Output[]> {
  const path = join(folder, `output.${suffix}`)
  await writeFile(path, content)
  return [{ path }]
}

/** The document in a format of LibreOffice. Returns its path. */
async function saved(task: DataTask, target: string): Promise<string> {
  const { officeFile } = await import('../office/file.ts')
  return (await officeFile(task, target)).path
}

async function workbook(task: DataTask, path: string): Promise<Data> {
  const found = readWorkbook(await readFile(path), task.options.password)
  if (!found) return workbook(task, await saved(task, 'xlsx'))
  const { tables, uncalculated } = found
  if (uncalculated > 0) task.warn(message('data.uncalculated', { count: uncalculated }))
  return { tables: chosen(tables, task.options.sheet) }
}

/** The sheet of a name or number, or all that are not empty. @throws JobFailure unsupported_input */
function chosen(tables: DataTable[], sheet: string | undefined): DataTable[] {
  if (sheet) {
    const found = tables.find(({ name }) => name === sheet) ?? tables[Number(sheet) - 1]
    if (found) return [found]
    const names = tables.map(({ name }) => name).join(', ')
    throw new JobFailure(
      'jobs.unsupported_input',
      message('data.no_such_sheet', { sheets: names.slice(0, 120) }),
    )
  }
  const filled = tables.filter(({ rows }) => rows.length > 0)
  if (filled.length === 0) throw new JobFailure('jobs.unsupported_input', message('data.empty'))
  return filled
}

function tablesIn(data: Data, { input }: DataTask): DataTable[] {
  const tables = 'tables' in data ? data.tables : tablesOf(data.value, input.stem)
  if (tables.every(({ rows }) => rows.length === 0))
    throw new JobFailure('jobs.unsupported_input', message('data.empty'))
  return tables
}

/** The tables of a file, with all cells as text. @throws JobFailure as `convert` does */
export async function readTables(task: Task): Promise<string[][][]> {
  const own = { ...task, options: { values: 'text' } } as DataTask
  try {
    const tables = fullTablesIn(await READERS[task.source]!(own), own)
    return tables.map(({ rows }) => rows.map(row => row.map(textOf)))
  } catch (error) {
    throw failureOf(error)
  }
}

/** For what has all rows as long as the longest. @throws JobFailure too_large */
function fullTablesIn(data: Data, task: DataTask, most?: number): DataTable[] {
  const tables = tablesIn(data, task)
  for (const { rows } of tables) checkArea(rows, most)
  return tables
}

const valueIn = (data: Data, task: DataTask): Value =>
  'value' in data ? data.value : valueOfTables(tablesIn(data, task), task.options.header ?? true)

function sheets(data: Data, task: DataTask): Uint8Array {
  const tables = fullTablesIn(data, task)
  for (const { rows } of tables)
    if (rows.length > SHEET_ROWS || rows.some(row => row.length > SHEET_COLUMNS))
      throw new JobFailure(
        'jobs.too_large',
        message('data.sheet_too_large', { rows: SHEET_ROWS, columns: SHEET_COLUMNS }),
      )
  const cut = tables
    .flatMap(({ rows }) => rows.flat())
    .filter(value => typeof value === 'string' && value.length > CELL_LETTERS)
  if (cut.length > 0) task.warn(message('data.cells_cut', { count: cut.length }))
  return writeWorkbook(tables, { dates: task.options.values !== 'text' })
}
