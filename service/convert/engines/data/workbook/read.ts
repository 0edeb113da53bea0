/** Reads the values of Excel workbooks: SpreadsheetML, ECMA-376 part 1, section 18. */
import { JobFailure } from '../../../../shared/errors.ts'
import { decodeText } from '../../common/text.ts'
import { type XmlElement, XmlError } from '../../common/xml/element.ts'
import { XmlScanner } from '../../common/xml/scan.ts'
import { OfficePackage } from '../../documents/read/docx/package.ts'
import type { DataTable, Scalar } from '../values.ts'
import { type Calendar, type Format, formatOf, plain } from './number-formats.ts'

/** Maximum number of cells of a workbook, including empty ones before others. */
const CELL_LIMIT = 20_000_000
const ROW_LIMIT = 1_048_576
const COLUMN_LIMIT = 16_384

export interface Workbook {
  tables: DataTable[]
  /** Number of formulas whose results the file does not contain, as other programs than Excel may leave them. */
  uncalculated: number
}

/**
 * @returns undefined for a binary workbook ([MS-XLSB])
 * @throws JobFailure encrypted_input, corrupt_input, too_large, unsupported_input
 */
export function readWorkbook(bytes: Uint8Array, password: string | undefined): Workbook | undefined {
  try {
    return new WorkbookReader(new OfficePackage(bytes, password)).read()
  } catch (error) {
    throw error instanceof XmlError
      ? new JobFailure('jobs.corrupt_input', undefined, { cause: error })
      : error
  }
}

/** Names without their prefix, since workbooks may use any. */
const localName = (name: string) => name.slice(name.indexOf(':') + 1)
const child = (element: XmlElement | undefined, name: string) =>
  element?.children.find(
    (each): each is XmlElement => typeof each !== 'string' && localName(each.name) === name,
  )
const children = (element: XmlElement | undefined, name: string) =>
  (element?.children ?? []).filter(
    (each): each is XmlElement => typeof each !== 'string' && localName(each.name) === name,
  )

class WorkbookReader {
  readonly #package: OfficePackage
  #strings: string[] = []
  #formats: Format[] = []
  #calendar: Calendar = 1900
  #cells = 0
  #uncalculated = 0

  constructor(file: OfficePackage) {
    this.#package = file
  }

  read(): Workbook | undefined {
    const roots = [...this.#package.relationships('').values()]
    const part = roots.find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml'
    if (part.endsWith('.bin')) return undefined
    const workbook = this.#package.xml(part)
    if (!workbook || localName(workbook.name) !== 'workbook') throw new JobFailure('jobs.corrupt_input')
    const links = this.#package.relationships(part)
    const partOf = (type: string) =>
      [...links.values()].find(link => link.type.endsWith(`/${type}`))?.target ?? ''
    this.#strings = this.#sharedStrings(partOf('sharedStrings'))
    this.#formats = this.#numberFormats(this.#package.xml(partOf('styles')))
    const { date1904 = '' } = child(workbook, 'workbookPr')?.attributes ?? {}
    if (/^(?:1|true|on)$/.test(date1904)) this.#calendar = 1904
    const tables = children(child(workbook, 'sheets'), 'sheet').flatMap(({ attributes }) => {
      const id = Object.entries(attributes).find(([key]) => localName(key) === 'id' && key !== 'id')?.[1]
      const link = links.get(id ?? '')
      // A chart may have a sheet of its own.
      if (!link?.type.endsWith('/worksheet')) return []
      return [{ name: attributes.name ?? '', rows: this.#rows(this.#text(link.target)) }]
    })
    return { tables, uncalculated: this.#uncalculated }
  }

  #text(part: string): string {
    const bytes = this.#package.file(part)
    return bytes ? decodeText(bytes) : ''
  }

  #sharedStrings(part: string): string[] {
    const strings: string[] = []
    const scanner = new XmlScanner(this.#text(part))
    while (scanner.next())
      if (scanner.kind === 'start' && localName(scanner.name) === 'si')
        strings.push(scanner.isEmpty ? '' : textIn(scanner, 'si'))
    return strings
  }

  /** The format of each cell style. */
  #numberFormats(styles: XmlElement | undefined): Format[] {
    const codes = new Map(
      children(child(styles, 'numFmts'), 'numFmt').map(({ attributes: { numFmtId, formatCode } }) => [
        Number(numFmtId),
        formatCode,
      ]),
    )
    return children(child(styles, 'cellXfs'), 'xf').map(({ attributes: { numFmtId } }) => {
      const id = Number(numFmtId ?? 0)
      return formatOf(id, codes.get(id))
    })
  }

  #rows(text: string): Scalar[][] {
    const rows: Scalar[][] = []
    const scanner = new XmlScanner(text)
    let row = 0
    let column = 0
    while (scanner.next()) {
      if (scanner.kind !== 'start') continue
      const { attributes, isEmpty } = scanner
      const name = localName(scanner.name)
      if (name === 'row') {
        row = Number(attributes.get('r') ?? row + 1)
        column = 0
      } else if (name === 'c') {
        const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(attributes.get('r') ?? '') ?? []
        column = letters ? columnOf(letters) : column + 1
        if (digits) row = Number(digits)
        const value = isEmpty ? null : this.#value(scanner)
        if (value !== null) this.#put(rows, row, column, value)
      }
    }
    return rows
  }

  /** @param row from 1, as is the column */
  #put(rows: Scalar[][], row: number, column: number, value: Scalar): void {
    if (!(row >= 1 && row <= ROW_LIMIT && column <= COLUMN_LIMIT)) throw new JobFailure('jobs.corrupt_input')
    while (rows.length < row) rows.push([])
    const cells = rows[row - 1]!
    this.#cells += Math.max(0, column - cells.length)
    if (this.#cells > CELL_LIMIT) throw new JobFailure('jobs.too_large')
    while (cells.length < column) cells.push(null)
    cells[column - 1] = value
  }

  /** Reads to the end of a cell. */
  #value(scanner: XmlScanner): Scalar {
    const { attributes } = scanner
    const type = attributes.get('t') ?? 'n'
    let value: string | undefined
    let hasFormula = false
    while (scanner.next()) {
      const name = localName(scanner.name)
      if (scanner.kind === 'end' && name === 'c') break
      if (scanner.kind !== 'start' || scanner.isEmpty) continue
      if (name === 'f') hasFormula = true
      else if (name === 'v') value = textIn(scanner, 'v')
      else if (name === 'is') value = textIn(scanner, 'is')
    }
    // Some programs write formulas with an empty result.
    if (value === undefined || (value === '' && hasFormula && type !== 'str')) {
      if (hasFormula) this.#uncalculated++
      return null
    }
    if (type === 's') return this.#strings[Number(value)] ?? ''
    if (type === 'b') return value.trim() === '1' || value.trim() === 'true'
    if (type !== 'n' || value.trim() === '' || Number.isNaN(Number(value))) return value
    const format = this.#formats[Number(attributes.get('s') ?? 0)] ?? plain
    return format(Number(value), this.#calendar)
  }
}

/** The text up to the end of an element, without the readings of Chinese and Japanese letters. */
function textIn(scanner: XmlScanner, element: string): string {
  let text = ''
  let isReading = false
  let isText = element === 'v'
  while (scanner.next()) {
    const { kind } = scanner
    const name = localName(scanner.name)
    if (kind === 'end' && name === element) break
    if (kind === 'start' || kind === 'end') {
      const isOpen = kind === 'start' && !scanner.isEmpty
      if (name === 'rPh') isReading = isOpen
      else if (name === 't') isText = isOpen
    } else if ((kind === 'text' || kind === 'cdata') && isText && !isReading) text += scanner.content()
  }
  return text
    .replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')
}

/** From 1: A, B, …, Z, AA. */
const columnOf = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
