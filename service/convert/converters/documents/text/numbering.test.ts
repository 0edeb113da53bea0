import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { savedByLibreOffice, UTF8_TEXT } from '../../../../../testing/libreoffice.ts'

const files = testFiles('word-numbering')

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

const level = (number: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const list = (id: number, ...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
const number = (id: number) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`

/** The second heading style takes its list from the style it is based on. */
const STYLES = `<w:styles ${WORD}>
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="H1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Pre"><w:name w:val="HTML Preformatted"/><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr></w:style>
</w:styles>`
const NUMBERING = `<w:numbering ${WORD}>${[
  list(1, level(0, 'upperRoman', '%1.'), level(1, 'decimal', '%1.%2', '<w:isLgl/>')),
  list(2, level(0, 'decimal', 'Article %1')),
  list(3, level(0, 'decimal', '%1.')),
  list(4, level(0, 'lowerLetter', 'Part %1)')),
].join('')}${[1, 2, 3, 4].map(number).join('')}</w:numbering>`

const styled = (style: string, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const item = (id: number, text: string, more = '') =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>${more}</w:pPr>${text && `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`

function documentOf(body: string): string {
  const relations = (...list: [string, string][]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
      .map(([type, target]) => `<Relationship Id="${type}" Type="${OFFICE}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${[
      ['document', 'document.main'],
      ['styles', 'styles'],
      ['numbering', 'numbering'],
    ]
      .map(([name, type]) => `<Override PartName="/word/${name}.xml" ContentType="${TYPE}.${type}+xml"/>`)
      .join('')}</Types>`,
    '_rels/.rels': relations(['officeDocument', 'word/document.xml']),
    'word/_rels/document.xml.rels': relations(['styles', 'styles.xml'], ['numbering', 'numbering.xml']),
    'word/document.xml': `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': STYLES,
    'word/numbering.xml': NUMBERING,
  }
  const bytes = Object.entries(parts).map(([name, text]) => [name, strToU8(text)])
  return files.write(zipSync(Object.fromEntries(bytes)), 'docx')
}

/** The lines that LibreOffice shows. */
function shown(path: string): string[] {
  const [opened = ''] = savedByLibreOffice(UTF8_TEXT, [path])
  const text = readFileSync(opened, 'utf8').replace('\ufeff', '')
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
}

testFull('headings and items have the numbers that LibreOffice shows', async () => {
  const path = documentOf(
    [
      styled('H1', 'Scope'),
      styled('H1', 'Terms'),
      styled('H2', 'Money'),
      styled('H2', 'Time'),
      item(2, 'Parties'),
      item(2, 'Purpose'),
      item(3, 'first'),
      item(3, ''),
      item(3, 'third'),
      item(4, 'lettered'),
      styled('H1', 'End'),
      item(3, 'no heading', '<w:outlineLvl w:val="-3"/>'),
    ].join(''),
  )
  const { path: output } = await convertFile('document.docx-to-md', path)
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
  expect(lines).toEqual([
    ...['# I. Scope', '# II. Terms', '## 2.1 Money', '## 2.2 Time'],
    ...['Article 1 Parties', 'Article 2 Purpose'],
    ...['1. first', '2.', '3. third'],
    ...['Part a) lettered', '# III. End', '4. no heading'],
  ])
  // Older versions of LibreOffice ignore `w:isLgl`, by which all numbers are in digits.
  const digits = shown(path).map(line => line.replace(/^II\.(?=\d)/, '2.'))
  expect(lines.map(line => line.replace(/^#+ /, ''))).toEqual(digits)
})

test('letters raised within code stay raised', async () => {
  const code = (text: string, more = '') =>
    `<w:r><w:rPr><w:rFonts w:ascii="Courier New"/>${more}</w:rPr><w:t>${text}</w:t></w:r>`
  const path = documentOf(`<w:p>${code('m')}${code('2', '<w:vertAlign w:val="superscript"/>')}</w:p>`)
  const { path: output } = await convertFile('document.docx-to-md', path)
  expect(readFileSync(output, 'utf8')).toBe('`m`<sup>`2`</sup>\n')
})

test('a style of code in another font is text, and small capitals are kept', async () => {
  const run = (text: string, look: string) => `<w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r>`
  const line = (runs: string) => `<w:p><w:pPr><w:pStyle w:val="Pre"/></w:pPr>${runs}</w:p>`
  const path = documentOf(
    [
      line(run('code', '')),
      line(run('Bold letter', '<w:rFonts w:ascii="Times New Roman"/><w:b/>')),
      `<w:p>${run('Small', '<w:smallCaps/>')}</w:p>`,
    ].join(''),
  )
  const { path: output } = await convertFile('document.docx-to-html', path)
  expect(/<body>\n(.*)\n<\/body>/s.exec(readFileSync(output, 'utf8'))?.[1]?.split('\n')).toEqual([
    '<pre><code>code</code></pre>',
    '<p><strong>Bold letter</strong></p>',
    '<p><span class="smallcaps">Small</span></p>',
  ])
  const { path: text } = await convertFile('document.html-to-typ', output)
  expect(readFileSync(text, 'utf8')).toContain('#smallcaps[Small]')
})
