import { readFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { compound } from '../../../../../../testing/compound.ts'
import { testFull } from '../../../../../../testing/describe-full.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { xlsx } from '../../../../../../testing/fixtures/office.ts'
import { officeFiles, toPdf, words } from '../../../../../../testing/office-pdf.ts'
import { xls } from '../../../../../../testing/office-protected.ts'
import { CompoundFile } from '../../../../engines/documents/formats/compound.ts'

const { write } = officeFiles('office-workbooks')

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
/** A workbook whose style part has these number formats, with this content in its only sheet. */
const workbook = async (formats: readonly string[], sheet: string) => {
  const parts = unzipSync(xlsx({ Values: [] }))
  const text = (name: string) => Buffer.from(parts[name] ?? []).toString()
  const put = (name: string, content: string) => {
    parts[name] = strToU8(content)
  }
  put('xl/worksheets/sheet0.xml', `<?xml version="1.0"?><worksheet xmlns="${main}">${sheet}</worksheet>`)
  put(
    'xl/styles.xml',
    `<?xml version="1.0"?><styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${code}"/>`).join('')}</numFmts><fonts count="1"><font><sz val="10"/><name val="Liberation Sans"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellXfs count="${formats.length + 1}"><xf/>${formats.map((_, index) => `<xf numFmtId="${170 + index}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
  )
  put(
    '[Content_Types].xml',
    text('[Content_Types].xml').replace(
      '</Types>',
      '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>',
    ),
  )
  put(
    'xl/_rels/workbook.xml.rels',
    text('xl/_rels/workbook.xml.rels').replace(
      '</Relationships>',
      '<Relationship Id="st" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
    ),
  )
  return Buffer.from(zipSync(parts))
}

testFull('values are shown in the formats of ECMA-376 part 1, 18.8.31; hidden ones are not', async () => {
  const shown: [string, number, string][] = [
    ['yyyy\\-mm\\-dd', 45_292, '2024-01-01'],
    ['d/m/yy', 45_350, '28/2/24'],
    ['hh:mm:ss', 0.75, '18:00:00'],
    ['[h]:mm', 1.5, '36:00'],
    ['0.0%', 0.256, '25.6%'],
    ['#,##0.00', 1_234_567.891, '1,234,567.89'],
    ['#,##0;(#,##0)', -5000, '(5,000)'],
    ['0.00E+00', 12_345, '1.23E+04'],
    ['# ?/?', 2.5, '2 1/2'],
    ['&quot;No. &quot;000', 7, 'No. 007'],
  ]
  const width = '<cols><col min="1" max="1" width="30" customWidth="1"/></cols>'
  const rows = shown.map(
    ([, value], index) =>
      `<row r="${index + 1}"><c r="A${index + 1}" s="${index + 1}"><v>${value}</v></c></row>`,
  )
  const more = [
    '<row r="20"><c r="A20" t="b"><v>1</v></c></row>',
    '<row r="21"><c r="A21" t="e"><v>#DIV/0!</v></c></row>',
    '<row r="22"><c r="A22"><f>6*7</f><v>42</v></c></row>',
    '<row r="23" hidden="1"><c r="A23" t="inlineStr"><is><t>concealed</t></is></c></row>',
  ]
  const sheet = `${width}<sheetData>${rows.join('')}${more.join('')}</sheetData>`
  const source = write(
    'formats.xlsx',
    await workbook(
      shown.map(([code]) => code),
      sheet,
    ),
  )
  const { text } = await toPdf('xlsx-to-pdf', source)
  const lines = text.split('\n').map(line => line.trim())
  for (const [code, , wanted] of shown) expect(lines, code).toContain(wanted)
  for (const wanted of ['TRUE', '#DIV/0!', '42']) expect(lines).toContain(wanted)
  expect(text).not.toContain('concealed')
})

testFull('formulas without results are calculated if the workbook requests it', async () => {
  const parts = unzipSync(xlsx({ S: [[19, 23]] }))
  const edit = (name: string, from: string, to: string) => {
    parts[name] = strToU8(strFromU8(parts[name] as Uint8Array).replace(from, to))
  }
  // Of the last two, one has a result, and the other needs a missing file.
  const cells = '<c><f>A1+B1</f><v>0</v></c><c><f>A1*B1</f><v>77</v></c><c><f>[1]S!A1+1</f><v>0</v></c>'
  edit('xl/worksheets/sheet0.xml', '</row>', `${cells}</row>`)
  const shown = async () => {
    const { text } = await toPdf('xlsx-to-pdf', write('uncalculated.xlsx', zipSync(parts)))
    return text.trim().split(/\s+/)
  }
  expect(await shown()).toEqual(['19', '23', '0', '77', '0'])
  edit('xl/workbook.xml', '</sheets>', '</sheets><calcPr fullCalcOnLoad="1"/>')
  expect(await shown()).toEqual(['19', '23', '42', '77', '0'])
})

testFull(
  'an embedded document is not taken for the file; names of streams are compared without case',
  async () => {
    const workbook = new CompoundFile(xls(words)).stream('Workbook')
    const embedded = {
      'MBD0001/WordDocument': Buffer.alloc(5000),
      'MBD0001/EncryptedPackage': Buffer.alloc(5000),
    }
    const path = write('embedded.xlsx', compound({ ...embedded, WORKBOOK: workbook! }))
    expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
  },
)

testFull('workbooks of Excel 3 and 4, which are not in a container', async () => {
  const shorts = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
  const record = (type: number, content: Buffer) => Buffer.concat([shorts(type, content.length), content])
  for (const begin of [0x209, 0x409]) {
    const rows = words.map((text, row) =>
      record(0x204, Buffer.concat([shorts(row, 0, 0, text.length), Buffer.from(text, 'latin1')])),
    )
    const bytes = Buffer.concat([record(begin, shorts(0, 0x10, 0)), ...rows, record(0xa, Buffer.alloc(0))])
    const path = write('old.xlsx', bytes)
    expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
    await expect(convertFile('document.doc-to-pdf', path)).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  }
})

testFull('parts whose names are written as on Windows', async () => {
  const parts = Object.entries(unzipSync(xlsx({ Sheet: words.map(text => [text]) }))).map(
    ([name, content]) => [name.replaceAll('/', '\\').replace('Content_Types', 'content_types'), content],
  )
  const path = write('backslashes.xlsx', zipSync(Object.fromEntries(parts)))
  expect((await toPdf('xlsx-to-pdf', path)).text).toContain(words[1])
})

describe('cells in both far corners', async () => {
  const rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
  const far = write('far.xlsx', await workbook([], `<sheetData>${rows}</sheetData>`))

  test.each(
    few(2, [
      ['pdf', 'jobs.too_many_pages', '1048576 rows'],
      ['xls', 'jobs.too_large', '65536 rows and 256 columns'],
      ['csv', 'jobs.too_large', '16384 columns and 1048576 rows'],
    ]),
  )('are too much for %s, for its own reason', async (target, code, reason) => {
    const detail = expect.stringContaining(reason)
    await expect(convertFile(`document.xlsx-to-${target}`, far)).rejects.toMatchObject({ code, detail })
  })

  testFull('become JSON', async () => {
    const { path } = await convertFile('document.xlsx-to-json', far, { header: false })
    const [first, last] = JSON.parse(readFileSync(path, 'utf8'))
    expect([first[0], last[16_383]]).toEqual([1, 2])
  })

  testFull('become OpenDocument, and from there no XLS and no pages', async () => {
    const { path } = await convertFile('document.xlsx-to-ods', far)
    const values = tool('unzip', '-p', path, 'content.xml').match(/office:value="\d+"/g)
    expect(values).toEqual(['office:value="1"', 'office:value="2"'])
    for (const [target, code] of [
      ['xls', 'jobs.too_large'],
      ['pdf', 'jobs.too_many_pages'],
    ])
      await expect(convertFile(`document.ods-to-${target}`, path)).rejects.toMatchObject({ code })
  })
})
