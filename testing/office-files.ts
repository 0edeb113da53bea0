/** Office files that only tests need: with macros, in RTF, as flat XML, and in older formats made by LibreOffice. */
import { renameSync } from 'node:fs'
import { extname } from 'node:path'
import { made } from './fixtures/cache.ts'
import { escaped, linksXml, packaged, relations, types } from './fixtures/office.ts'
import { savedByLibreOffice } from './libreoffice.ts'

const MACRO_SHEET = 'http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet'

/**
 * A workbook with macros (.xlsm) that shows `text`, and whose Excel 4.0 macro replaces it, writes a file and starts a program as
 * soon as it is opened: [MS-OFFMACRO] 2.2.1.5, ECMA-376 part 1, 18.3.1.61; the commands are those of [MS-XLS] 2.5.198.4.
 * @param path of the file that the macro writes
 */
export function macroWorkbook(text: string, replacement: string, path: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const commands = [
    `SET.VALUE(Shown!A1,"${replacement}")`,
    `FOPEN("${path}",3)`,
    `FWRITELN(A2,"written")`,
    'FCLOSE(A2)',
    `EXEC("touch ${path}")`,
    'RETURN()',
  ]
  const cells = commands.map(
    (command, row) =>
      `<row r="${row + 1}"><c r="A${row + 1}"><f>${escaped(command).replaceAll('"', '&quot;')}</f></c></row>`,
  )
  const sheet = (name: string, rows: string) =>
    `<?xml version="1.0"?><${name} xmlns="${main}"><sheetData>${rows}</sheetData></${name}>`
  const links = linksXml([
    { id: 's', type: 'worksheet', target: 'worksheets/sheet0.xml' },
    { id: 'm', type: 'xlMacrosheet', target: 'macrosheets/sheet1.xml' },
  ]).replace(`${relations}/xlMacrosheet`, MACRO_SHEET)
  return packaged([
    {
      name: '_rels/.rels',
      content: linksXml([{ id: 'r1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Shown" sheetId="1" r:id="s"/><sheet name="Macro1" sheetId="2" r:id="m"/></sheets><definedNames><definedName name="_xlnm.Auto_Open" xlm="1" function="1" hidden="1">Macro1!$A$1</definedName></definedNames></workbook>`,
      type: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
    },
    { name: 'xl/_rels/workbook.xml.rels', content: links },
    {
      name: 'xl/worksheets/sheet0.xml',
      content: sheet(
        'worksheet',
        `<row r="1"><c r="A1" t="inlineStr"><is><t>${escaped(text)}</t></is></c></row>`,
      ),
      type: `${types}.spreadsheetml.worksheet+xml`,
    },
    {
      name: 'xl/macrosheets/sheet1.xml',
      content: sheet('xm:macrosheet', cells.join('')).replace(
        `xmlns="${main}"`,
        `xmlns="${main}" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"`,
      ),
      type: 'application/vnd.ms-excel.macrosheet+xml',
    },
  ])
}

/** RTF with a paragraph for each text. */
export const rtf = (paragraphs: readonly string[]): Buffer => {
  const coded = (text: string) =>
    [...text.replace(/[\\{}]/g, '\\$&')]
      .flatMap(character => (character < '\x80' ? character : character.split('')))
      .map(unit => (unit < '\x80' ? unit : `\\u${(unit.charCodeAt(0) << 16) >> 16}?`))
      .join('')
  return Buffer.from(
    `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\froman\\fcharset0 Liberation Serif;}}\n${paragraphs.map(text => `${coded(text)}\\par\n`).join('')}}`,
  )
}

/** The document saved by Debian's LibreOffice in the format of this path, such as `doc`. */
export function savedAs(path: string, source: string): string {
  const format = extname(path).slice(1)
  return made(path, 'soffice', ['--convert-to', format, source], () =>
    renameSync(savedByLibreOffice(format, [source])[0]!, path),
  )
}

/** A slide or a sheet with a text and a picture, as flat OpenDocument XML: ISO/IEC 26300. */
export function flat(kind: 'presentation' | 'spreadsheet', text: string, picture: Buffer): Buffer {
  const frame = (at: number, content: string) =>
    `<draw:frame svg:x="2cm" svg:y="${at}cm" svg:width="6cm" svg:height="3cm">${content}</draw:frame>`
  const image = frame(
    6,
    `<draw:image><office:binary-data>${picture.toString('base64')}</office:binary-data></draw:image>`,
  )
  const shown = `<text:p>${escaped(text)}</text:p>`
  const body =
    kind === 'presentation'
      ? `<draw:page draw:name="p" draw:master-page-name="m">${frame(2, `<draw:text-box>${shown}</draw:text-box>`)}${image}</draw:page>`
      : `<table:table table:name="S"><table:shapes>${image}</table:shapes><table:table-row><table:table-cell office:value-type="string">${shown}</table:table-cell></table:table-row></table:table>`
  const spaces = ['office', 'table', 'text', 'style']
    .map(name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .concat(
      'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
      'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    )
  const master = '<office:master-styles><style:master-page style:name="m"/></office:master-styles>'
  return Buffer.from(
    `<?xml version="1.0"?><office:document ${spaces.join(' ')} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">${kind === 'presentation' ? master : ''}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
  )
}
