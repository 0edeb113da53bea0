/** Writes SpreadsheetML (ECMA-376 part 1, section 18). */
import { zipSync } from 'fflate'
import { escapeXml } from '../../common/xml/characters.ts'

export interface Cell {
  value: string | number | boolean | Date
  /** A number format. */
  format?: string
  isBold?: boolean
}

export interface Sheet {
  /** Unique among the sheets, with the letters and length that Excel accepts. */
  name: string
  rows: readonly (readonly (Cell | null)[])[]
  /** Of columns, in letters. */
  widths?: readonly number[]
  /** Whether the first row stays in sight. */
  hasHead?: boolean
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
/** Day 0 of Excel's calendar, from March 1900 on. */
const EPOCH = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000
/** Formats of a workbook's own are counted from here. */
const FIRST_FORMAT = 164
/** Rows that become bytes at once, since a text of a million would be too long. */
const ROWS = 10_000

/** Numbers each text once, in the order of its first use. */
class Numbers {
  readonly #numbers = new Map<string, number>()

  of(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }

  all = () => [...this.#numbers.keys()]
}

/** A workbook of the sheets as a file. */
export function writeSpreadsheet(sheets: readonly Sheet[]): Uint8Array {
  const strings = new Numbers()
  const formats = new Numbers()
  const styles = new Numbers()
  formats.of('General')
  styles.of('0 0')
  const columns: string[] = []

  const cell = (content: Cell | null, row: number, column: number): string => {
    if (content === null) return ''
    const { value, format = 'General', isBold = false } = content
    const style = styles.of(`${formats.of(format)} ${Number(isBold)}`)
    columns[column] ??= columnName(column)
    const place = `<c r="${columns[column]}${row + 1}"${style === 0 ? '' : ` s="${style}"`}`
    if (typeof value === 'string') return `${place} t="s"><v>${strings.of(value)}</v></c>`
    if (typeof value === 'boolean') return `${place} t="b"><v>${Number(value)}</v></c>`
    return `${place}><v>${typeof value === 'number' ? value : (value.getTime() - EPOCH) / DAY_MS}</v></c>`
  }
  const sheetXml = ({ rows, widths = [], hasHead = false }: Sheet): Uint8Array => {
    const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    const cols = widths.map(
      (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
    )
    // Sheets whose columns have widths are printed a page wide.
    const isPrinted = widths.length > 0
    const fit = isPrinted ? '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' : ''
    const setup = isPrinted ? '<pageSetup orientation="landscape" fitToHeight="0"/>' : ''
    const head = `<worksheet xmlns="${MAIN}">${fit}${hasHead ? `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>` : ''}${cols.length > 0 ? `<cols>${cols.join('')}</cols>` : ''}<sheetData>`
    const parts = [Buffer.from(head)]
    for (let start = 0; start < rows.length; start += ROWS) {
      const texts = rows.slice(start, start + ROWS).map((cells, at) => {
        const written = cells.map((content, column) => cell(content, start + at, column)).join('')
        return written && `<row r="${start + at + 1}">${written}</row>`
      })
      parts.push(Buffer.from(texts.join('')))
    }
    return Buffer.concat([...parts, Buffer.from(`</sheetData>${setup}</worksheet>`)])
  }

  const paths = sheets.map((_, at) => `worksheets/sheet${at + 1}.xml`)
  const parts: [path: string, type: string, content: string | Uint8Array][] = sheets.map((sheet, at) => [
    `xl/${paths[at]}`,
    `${TYPES}.worksheet+xml`,
    sheetXml(sheet),
  ])
  const links = [
    ...paths.map(path => ['worksheet', path]),
    ['styles', 'styles.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
  ]
  const names = sheets.map(
    ({ name }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`,
  )
  parts.push(
    [
      'xl/sharedStrings.xml',
      `${TYPES}.sharedStrings+xml`,
      `<sst xmlns="${MAIN}">${strings.all().map(stringXml).join('')}</sst>`,
    ],
    ['xl/styles.xml', `${TYPES}.styles+xml`, stylesXml(formats.all(), styles.all())],
    [
      'xl/workbook.xml',
      `${TYPES}.sheet.main+xml`,
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.join('')}</sheets></workbook>`,
    ],
  )
  const types = parts.map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`)
  const relationships = 'application/vnd.openxmlformats-package.relationships+xml'
  const files: [string, string | Uint8Array][] = [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="${relationships}"/>${types.join('')}</Types>`,
    ],
    ['_rels/.rels', linksXml([['officeDocument', 'xl/workbook.xml']])],
    ['xl/_rels/workbook.xml.rels', linksXml(links as [string, string][])],
    ...parts.map(([path, , content]): [string, string | Uint8Array] => [path, content]),
  ]
  return zipSync(
    Object.fromEntries(
      files.map(([path, content]) => [
        path,
        typeof content === 'string'
          ? Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${content}`)
          : content,
      ]),
    ),
  )
}

const linksXml = (links: readonly [type: string, target: string][]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${links
    .map(
      ([type, target], at) => `<Relationship Id="r${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

/** What resembles the escape of a sign is escaped itself. */
const stringXml = (text: string) =>
  `<si><t xml:space="preserve">${escapeXml(text.replace(/\r\n?/g, '\n').replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_'))}</t></si>`

/** @param styles each the number of its format, and 1 if it is bold */
function stylesXml(formats: readonly string[], styles: readonly string[]): string {
  const own = formats
    .slice(1)
    .map((code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${escapeXml(code)}"/>`)
  const cells = styles.map(style => {
    const [format = 0, bold = 0] = style.split(' ').map(Number)
    return `<xf numFmtId="${format === 0 ? 0 : FIRST_FORMAT - 1 + format}" fontId="${bold}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
  })
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/></font>'
  return `<styleSheet xmlns="${MAIN}">${own.length > 0 ? `<numFmts count="${own.length}">${own.join('')}</numFmts>` : ''}<fonts count="2"><font>${font}<font><b/>${font}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs></styleSheet>`
}

/** From 0: A, B, …, Z, AA. */
const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
