/** Macros that run when a document is opened: LibreOffice itself reports that they exist, but they have no effect. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { CUTOFF, compound } from '../../../../../../testing/compound.ts'
import { describeFull } from '../../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { docx } from '../../../../../../testing/fixtures/office.ts'
import { savedByLibreOffice } from '../../../../../../testing/libreoffice.ts'
import { macroWorkbook, savedAs } from '../../../../../../testing/office-files.ts'
import { vbaStreams } from '../../../../../../testing/vba.ts'
import { CompoundFile } from '../../../../engines/documents/formats/compound.ts'

const files = testFiles('macros')

const saved = 'as it was saved'
const changed = 'changed by a macro'
const written = files.path('written-by-macro.txt')

const streams = vbaStreams([
  `ActiveDocument.Content.Text = "${changed}"`,
  `Open "${written}" For Output As #1`,
  'Print #1, "written"',
  'Close #1',
  `Shell "touch ${written}"`,
])

const write = (name: string, bytes: Uint8Array) => {
  writeFileSync(files.path(name), bytes)
  return files.path(name)
}

/** A document with macros (.docm): [MS-OFFMACRO2] 2.2. */
function macroDocument(): Buffer {
  const type = 'application/vnd.ms-office.vbaProject'
  const project = { name: 'word/vbaProject.bin', content: compound(streams), type }
  const parts = unzipSync(docx({ paragraphs: [saved], parts: [project] }))
  const edit = (name: string, from: string, to: string) => {
    parts[name] = strToU8(strFromU8(parts[name]!).replace(from, to))
  }
  const main = 'vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  edit('[Content_Types].xml', main, 'vnd.ms-word.document.macroEnabled.main+xml')
  const link = `<Relationship Id="vba" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>`
  edit('word/_rels/document.xml.rels', '</Relationships>', `${link}</Relationships>`)
  return Buffer.from(zipSync(parts))
}

/** The same in the old format. */
function oldMacroDocument(): Buffer {
  const plain = savedAs(files.path('plain.doc'), write('plain.docx', docx({ paragraphs: [saved] })))
  const file = new CompoundFile(readFileSync(plain))
  const own = ['WordDocument', '1Table', '0Table', 'Data'].filter(name => file.has(name))
  const long = (name: string) => {
    const content = file.stream(name) ?? Buffer.alloc(0)
    return Buffer.concat([content], Math.max(content.length, CUTOFF))
  }
  return compound({
    ...Object.fromEntries(own.map(name => [name, long(name)])),
    ...Object.fromEntries(Object.entries(streams).map(([name, content]) => [`Macros/${name}`, content])),
  })
}

const documents: readonly [name: string, job: string, bytes: () => Buffer][] = [
  ['new.docm', 'docx-to-pdf', macroDocument],
  ['old.doc', 'doc-to-pdf', oldMacroDocument],
]

describeFull('of a document', true, () => {
  let opened: string[]

  // LibreOffice takes a second to start.
  beforeAll(() => {
    const paths = documents.map(([name, , bytes]) => write(name, bytes()))
    opened = savedByLibreOffice('odt', paths)
  })

  test.each(documents)('%s', async (name, job) => {
    const path = files.path(name)
    const macros = tool(
      'unzip',
      '-p',
      opened.find(path => path.includes(`/${name.split('.')[0]}.`))!,
      'Basic/Project/*.xml',
    )
    for (const line of ['Sub Document_Open()', 'Sub AutoOpen()', changed]) expect(macros).toContain(line)
    const { path: pdf } = await convertFile(`document.${job}`, path)
    expect(tool('pdftotext', pdf, '-').trim()).toBe(saved)
    expect(existsSync(written)).toBe(false)
  })
})

test('of a workbook, in the language of Excel 4', async () => {
  const path = write('macro.xlsm', macroWorkbook(saved, changed, written))
  const { path: pdf } = await convertFile('document.xlsx-to-pdf', path)
  const text = tool('pdftotext', '-layout', pdf, '-')
  expect(text).toContain(saved)
  expect(text.replaceAll(`"${changed}"`, '')).not.toContain(changed)
  expect(existsSync(written)).toBe(false)
})
