import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { onlyFull } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { output } from '../../../../../testing/fixtures/programs.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { savedByLibreOffice, UTF8_TEXT } from '../../../../../testing/libreoffice.ts'
import { makePdf, onePagePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { orderScore, wordRecall, wordsOf } from '../../../../../testing/words.ts'
import { resource } from '../../../engines/common/resources.ts'

const files = testFiles('pdf-text')
const DOCX = 'document.pdf-to-docx'
const MD = 'document.pdf-to-md'

const TEXT = `= The *survey*
The first part has _some emphasis_, a #link("https://example.com/x_(1)")[link] and a note#footnote[It says *more*.].
It costs 3 < 5 & 7 > 2, in [brackets], with a_name, *stars* and \`code\`.

- one
  - nested
- two

#table(columns: 2, [*Year*], [*Count*], [1990], [12 | 13], [1991], [14])

\`\`\`
if a:
    b
\`\`\`
1986\\. A year that begins a paragraph and is no entry of a list.`

const SCANNED = `Nobody had expected the harvest to be so plentiful after a winter of storms, yet every barn in the
  valley was filled before October came. Merchants travelled from distant towns to buy wheat and barley, and the price
  of apples fell to twelve pence a basket.`

let source = ''
beforeAll(() => {
  source = files.write(typeset(`#set page(width: 400pt, height: 500pt, margin: 40pt)\n${TEXT}`), 'pdf')
})

describe('Markdown', () => {
  testFull('is read as the same document by another Markdown reader', async () => {
    const { path, outputs, warnings } = await convertFile(MD, source)
    expect(warnings).toEqual([])
    expect(outputs).toHaveLength(1)
    const html = output('pandoc', ['-f', 'gfm', '-t', 'html', '--wrap=none', path]).toString()
    expect(html).toContain('<h1 id="the-survey">The survey</h1>')
    expect(html).toContain(
      'has <em>some emphasis</em>, a <a href="https://example.com/x_%281%29">link</a> and a note<a',
    )
    expect(html).toContain(
      '3 &lt; 5 &amp; 7 &gt; 2, in [brackets], with a_name, <strong>stars</strong> and <code>code</code>.',
    )
    expect(html.replace(/\s+/g, '')).toContain('<ul><li>one<ul><li>nested</li></ul></li><li>two</li></ul>')
    expect(html).toContain('<td>12 | 13</td>')
    expect(html).toContain('<pre><code>if a:\n    b</code></pre>')
    expect(html).toContain('<p>1986. A year that begins')
    expect(html).toContain('It says <strong>more</strong>.')
  })

  test('pictures are beside it, inline, or left out', async () => {
    const jpeg = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#2050c0' } })
      .jpeg()
      .toBuffer()
    const path = await makePdf(files.path('with pictures.pdf'), pdf => {
      pdf.text('Before the picture there is a line of text that says so.', 50, 50)
      pdf.image(jpeg, 50, 100, { width: 180 })
      pdf.image(jpeg, 250, 100, { width: 180 })
      pdf.text('After it there is another line of text.', 50, 260)
    })
    const { outputs } = await convertFile(MD, path)
    // The same picture twice becomes one file.
    expect(outputs.map(output => output.name)).toEqual(['with pictures.md', 'with pictures-1.jpg'])
    expect(readFileSync(outputs[1]!.path)).toEqual(jpeg)
    const text = readFileSync(outputs[0]!.path, 'utf8')
    expect(text.match(/!\[]\(with%20pictures-1\.jpg\)/g)).toHaveLength(2)
    expect(text.indexOf('Before')).toBeLessThan(text.indexOf('!['))
    expect(text.indexOf('After')).toBeGreaterThan(text.lastIndexOf('!['))
    const inline = await convertFile(MD, path, { pictures: 'inline' })
    expect(inline.outputs).toHaveLength(1)
    expect(readFileSync(inline.path, 'utf8')).toContain(
      `](data:image/jpeg;base64,${jpeg.toString('base64')})`,
    )
    expect(readFileSync((await convertFile(MD, path, { pictures: 'none' })).path, 'utf8')).not.toContain('![')
  })
})

describe('Word', () => {
  testFull(
    'looks like the PDF: words stand where they stood, with their size, colour and background',
    async () => {
      const pdf = files.write(
        typeset(`#set page(margin: 60pt)
#set text(font: "Arimo", size: 10pt)
#text(26pt, fill: rgb("#1a4f8b"))[Beginning]

#lorem(60)

#align(right)[Sender \\ Street]

#block(fill: rgb("#dde8f5"), inset: 8pt, width: 100%)[Highlighted #lorem(30)]

#pagebreak()

#columns(2)[Leftmost #lorem(50) #colbreak() Rightmost #lorem(40)]`),
        'pdf',
      )
      const { path } = await convertFile(DOCX, pdf)
      const xml = tool('unzip', '-p', path, 'word/document.xml')
      expect(xml).toMatch(/w:color w:val="1A4F8B"\/?>.{0,80}w:sz w:val="52"/)
      expect(xml).toContain('w:fill="DDE8F5"')
      expect(xml).toContain('w:cols w:')
      const placesIn = (file: string) =>
        new Map(
          [
            ...tool('pdftotext', '-bbox', file, '-').matchAll(/xMin="([\d.]+)" yMin="([\d.]+)".*>(\w+)</g),
          ].map(([, x, y, word]) => [word, [Number(x), Number(y)]] as const),
        )
      const shown = placesIn(savedByLibreOffice('pdf', [path])[0]!)
      const original = placesIn(pdf)
      for (const word of ['Beginning', 'Sender', 'Street', 'Highlighted', 'Leftmost', 'Rightmost']) {
        const [x, y] = original.get(word)!
        const [ownX, ownY] = shown.get(word) ?? [0, 0]
        expect(Math.abs(ownX! - x!), `${word} across`).toBeLessThan(12)
        expect(Math.abs(ownY! - y!), `${word} down`).toBeLessThan(24)
      }
    },
  )

  test('has real headings, lists, tables, notes and links for another reader', async () => {
    const { path } = await convertFile(DOCX, source)
    const read = JSON.parse(tool('pandoc', '-f', 'docx', '-t', 'json', path)) as {
      blocks: { t: string; c: unknown }[]
    }
    expect(read.blocks.map(block => block.t)).toEqual([
      'Header',
      'Para',
      'BulletList',
      'Table',
      expect.stringMatching(/Para|CodeBlock/),
      'Para',
    ])
    const text = JSON.stringify(read.blocks)
    expect(text).toContain('https://example.com/x_(1)')
    expect(text).toContain('"Note"')
    expect(text).toContain('"Emph"')
  })

  testFull('opens in LibreOffice with all the text that poppler reads from the PDF', async () => {
    const pdf = files.write(
      typeset(`#set page(width: 420pt, height: 500pt, margin: 40pt, columns: 2)
        #set text(hyphenate: false)
        = Of a long text
        #lorem(400)
        #table(columns: 3, ..range(24).map(n => [cell #n]))
        #lorem(500)`),
      'pdf',
    )
    const { path } = await convertFile(DOCX, pdf)
    const opened = wordsOf(readFileSync(savedByLibreOffice(UTF8_TEXT, [path])[0]!, 'utf8'))
    const poppler = wordsOf(tool('pdftotext', pdf, '-'))
    expect(wordRecall(poppler, opened)).toBeGreaterThanOrEqual(0.98)
    expect(orderScore(poppler, opened)).toBeGreaterThanOrEqual(0.98)
  })

  testFull('has pages and columns as they were, and links within the document', async () => {
    const pdf = files.write(
      typeset(`#set page(width: 400pt, height: 300pt, margin: 40pt)
= First
Words that lead to #link(<there>)[the end]. #lorem(20)

#columns(2)[Leftmost #lorem(24) #colbreak() Rightmost #lorem(24)]
#pagebreak()
The last page <there> follows. #lorem(20)`),
      'pdf',
    )
    const { path } = await convertFile(DOCX, pdf)
    const xml = tool('unzip', '-p', path, 'word/document.xml')
    expect([...xml.matchAll(/<w:pgSz w:w="(\d+)" w:h="(\d+)"/g)].map(([, ...size]) => size)).toEqual(
      Array.from({ length: 3 }, () => ['8000', '6000']),
    )
    expect(xml.match(/<w:type w:val="continuous"\/>/g)).toHaveLength(1)
    expect(xml).toMatch(/<w:cols w:num="2" w:equalWidth="0">/)
    expect(xml.match(/<w:br w:type="column"\/>/g)).toHaveLength(1)
    const [, anchor] = /<w:hyperlink w:anchor="(\w+)"/.exec(xml) ?? []
    expect(xml.indexOf(`w:name="${anchor}"`)).toBeGreaterThan(xml.lastIndexOf('</w:sectPr></w:pPr>'))
  })

  testFull('keeps the size of pictures', async () => {
    const png = await sharp({ create: { width: 40, height: 20, channels: 4, background: '#20c05080' } })
      .png()
      .toBuffer()
    const pdf = await makePdf(files.path('picture.pdf'), document =>
      document.image(png, 72, 72, { width: 144 }),
    )
    const { path } = await convertFile(DOCX, pdf)
    const xml = tool('unzip', '-p', path, 'word/document.xml')
    // 144 × 72 points in English metric units, 12,700 per point.
    expect(xml).toContain('<wp:extent cx="1828800" cy="914400"/>')
    expect(tool('unzip', '-l', path)).toMatch(/word\/media\/.*\.png/)
  })
})

const SENTENCE = 'The harvest was carried home before the long winter.'

describe('damaged, protected and unusual files', () => {
  test.each([
    ['empty', ''],
    ['no PDF', 'a text'],
    ['only a head', '%PDF-1.7\n'],
  ])('%s', async (_, content) => {
    const path = files.write(Buffer.from(content), 'pdf')
    await expect(convertFile(MD, path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  test('protected ones need their password', async () => {
    const path = await makePdf(files.path('secret.pdf'), pdf => pdf.text('The secret text.', 50, 50), {
      userPassword: 'sesame',
    })
    await expect(convertFile(MD, path)).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
    await expect(convertFile(MD, path, { password: 'wrong' })).rejects.toMatchObject({
      code: 'jobs.encrypted_input',
    })
    expect(readFileSync((await convertFile(MD, path, { password: 'sesame' })).path, 'utf8')).toBe(
      'The secret text.\n',
    )
  })

  // Writers take an empty password for that of the user, but not what pads it to 32 bytes (ISO 32000-1, 7.6.3.3).
  const empty = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
  test.each([
    ['1.6', 'AES of 128 bits', []],
    ...onlyFull([
      ['1.7', 'AES of 256 bits', ['--encrypt', 'sesame', '', '256', '--allow-insecure', '--']],
      ['1.3', 'RC4 of 40 bits', []],
      ['1.4', 'RC4 of 128 bits', []],
      ['1.7', 'Acrobat 9', ['--encrypt', 'sesame', '', '256', '--allow-insecure', '--force-R5', '--']],
    ] as const),
  ] as const)(
    'those whose owner has an empty password open without one: PDF %s, %s',
    async (pdfVersion, _, options) => {
      const passwords = { userPassword: 'sesame', ownerPassword: empty.toString('latin1') }
      const made = await makePdf(files.path('made.pdf'), pdf => pdf.text('The open text.', 50, 50), {
        pdfVersion,
        ...(options.length === 0 && passwords),
      })
      const path = options.length === 0 ? made : files.path('owned.pdf')
      if (path !== made) tool('qpdf', ...options, made, path)
      tool('qpdf', '--check', path)
      for (const [job, password] of [
        [MD, ''],
        [MD, 'sesame'],
        ['document.pdf-to-pdf', ''],
        ['document.pdf-to-png', ''],
      ]) {
        const { path: result, warnings } = await convertFile(job!, path, { password })
        if (job === MD) expect(readFileSync(result, 'utf8')).toBe('The open text.\n')
        else if (job !== 'document.pdf-to-png')
          expect(tool('pdftotext', result, '-').trim()).toBe('The open text.')
        expect(warnings.join()).toMatch(/was protected/)
      }
      await expect(convertFile(MD, path, { password: 'wrong' })).rejects.toMatchObject({
        code: 'jobs.encrypted_input',
      })
    },
  )

  test.each([
    [20, 'jobs.corrupt_input'],
    [50, 'jobs.corrupt_input'],
    [80, 'jobs.corrupt_input'],
    [95, 'converted'],
  ])('of a file of which %i % are left: %s', async (percent, expected) => {
    const whole = readFileSync(source)
    const path = files.write(whole.subarray(0, (whole.length * percent) / 100), 'pdf')
    const ended = await convertFile(MD, path).then(
      () => 'converted',
      (error: { code?: string }) => error.code,
    )
    expect(ended).toBe(expected)
  })

  test('a file with empty pages fails', async () => {
    const path = await makePdf(files.path('blank.pdf'), () => {})
    await expect(convertFile(DOCX, path)).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })

  testFull('a page that is a picture of text stays a picture, with a warning', async () => {
    const scan = await sharp({ create: { width: 600, height: 800, channels: 3, background: '#f4f0e8' } })
      .jpeg()
      .toBuffer()
    const path = await makePdf(
      files.path('scan.pdf'),
      pdf => pdf.image(scan, 0, 0, { width: 300, height: 400 }),
      {
        size: [300, 400],
      },
    )
    const { outputs, warnings } = await convertFile(MD, path)
    expect(outputs).toHaveLength(2)
    expect(warnings).toEqual(['Pages that are pictures and whose text was not recognised: 1.'])
  })

  testFull('a scanned page is read by default', async () => {
    const born = files.write(
      typeset(`#set page(width: 420pt, height: 300pt, margin: 40pt)
        #set text(font: "Arimo", size: 12pt)
        = Of the harvest
        ${SCANNED}`),
      'pdf',
    )
    tool('pdftoppm', '-r', '200', '-gray', '-jpeg', '-singlefile', born, files.path('scanned'))
    const path = await makePdf(
      files.path('scanned.pdf'),
      pdf => pdf.image(files.path('scanned.jpg'), 0, 0, { width: 420, height: 300 }),
      { size: [420, 300] },
    )
    const { outputs, warnings } = await convertFile(MD, path)
    expect(warnings).toEqual([])
    expect(outputs).toHaveLength(1)
    const text = readFileSync(outputs[0]!.path, 'utf8')
    expect(text).toMatch(/^#+ Of the harvest\n/)
    const [source, result] = [wordsOf(SCANNED), wordsOf(text)]
    expect(wordRecall(source, result)).toBeGreaterThanOrEqual(0.97)
    expect(orderScore(source, result)).toBeGreaterThanOrEqual(0.97)
    expect(text.split('\n\n')).toHaveLength(2)
  })

  testFull('a page whose letters the file does not identify is read as it looks', async () => {
    const path = await makePdf(
      files.path('named.pdf'),
      pdf => {
        const font = pdf.font(resource('fonts', 'Tinos-Regular.ttf')).fontSize(16)
        font.text(SENTENCE, 30, 40)
        // From here on, beyond the page, the numbers of the letters are those of other letters.
        font.text('αβγδεζηθικλμνξοπρστυφχψω', 30, -40)
        font.addPage().text('JUMPING FOXES QUICKLY VEXED THE WIZARD, OR BLACKBIRDS', 30, 40)
        // One letter of another font is known.
        font.font('Helvetica').text('K', 370, 60, { lineBreak: false })
      },
      { size: [400, 140] },
    )
    const unnamed = readFileSync(path, 'latin1').replaceAll('/ToUnicode', '/ToNothing')
    const { path: read, warnings } = await convertFile(MD, files.write(Buffer.from(unnamed, 'latin1'), 'pdf'))
    expect(warnings).toEqual([])
    const text = readFileSync(read, 'utf8').trim()
    expect(text.startsWith(SENTENCE)).toBe(true)
    expect(text.replace(/\s+/g, ' ')).toMatch(/JUMPING FOXES QUICKLY VEXED THE WIZARD, OR BLACKBIRDS( K)?$/)
  })

  testFull(
    'words in a font whose letters the file calls others are read as they look, beside its other words',
    async () => {
      const lines = [
        SENTENCE,
        'Every child of the village brought apples',
        'and grapes to the market, and nobody quarrelled.',
        'Several farmers carried baskets across bridges',
        'before breakfast, while their horses waited.',
      ]
      const path = await makePdf(
        files.path('shifted.pdf'),
        pdf => {
          pdf.font('Helvetica').fontSize(16).text('Annual report 4711', 30, 20)
          pdf.font(resource('fonts', 'Tinos-Regular.ttf')).fontSize(14)
          for (const [index, line] of lines.entries()) pdf.text(line, 30, 50 + 20 * index)
          // Too few letters to tell that they are wrong.
          pdf.addPage().text('Eleven barrels are empty.', 30, 40)
        },
        { size: [400, 180], margin: 10, compress: false },
      )
      // Lists of UTF-16 in the map of the font: every small letter but z is called the next one.
      const shifted = readFileSync(path, 'latin1').replace(/(?<=[[ ])<00(6[1-9a-f]|7[0-9])>/g, (_, code) => {
        return `<00${(Number.parseInt(code, 16) + 1).toString(16)}>`
      })
      const lying = files.write(Buffer.from(shifted, 'latin1'), 'pdf')
      expect(tool('pdftotext', lying, '-')).not.toContain('harvest')
      const { path: read, warnings } = await convertFile(MD, lying)
      expect(warnings).toEqual([])
      const text = readFileSync(read, 'utf8').replace(/\s+/g, ' ')
      expect(text).toContain('Annual report 4711')
      expect(
        wordRecall(wordsOf([...lines, 'Eleven barrels are empty.'].join(' ')), wordsOf(text)),
      ).toBeGreaterThanOrEqual(0.95)
    },
  )

  test.each([true, false])(
    'captions that are marked as artefacts are read beside fields (%s)',
    async hasField => {
      const path = files.write(
        onePagePdf(
          'BT /F 12 Tf 20 100 Td (Application) Tj ET /Artifact BMC BT /F 12 Tf 20 60 Td (Identifying number) Tj ET EMC',
          `/MediaBox [0 0 300 200] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>
          ${hasField ? '/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /Rect [20 20 200 40] >>]' : ''}`,
        ),
        'pdf',
      )
      const text = readFileSync((await convertFile(MD, path)).path, 'utf8')
      expect(text).toContain('Application')
      expect(text.includes('Identifying number')).toBe(hasField)
    },
  )

  testFull('free text, and the states of check boxes and radio buttons', async () => {
    const box = (name: string, state: string, y: number, more = '') =>
      `<< /Type /Annot /Subtype /Widget /FT /Btn ${more} /T (${name}) /Rect [20 ${y - 3} 34 ${y + 11}] /AS /${state} /V /${state} /AP << /N << /Yes 6 0 R >> >> /F 4 >>`
    const path = files.write(
      onePagePdf(
        'BT /F 12 Tf 40 160 Td (Married) Tj 0 -30 Td (Insured) Tj 0 -30 Td (By letter) Tj ET',
        `/MediaBox [0 0 300 200] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>
        /Annots [${box('a', 'Yes', 160)} ${box('b', 'Off', 130)} ${box('c', 'Yes', 100, '/Ff 32768')}
        << /Type /Annot /Subtype /FreeText /Rect [20 40 280 70] /Contents (Please call the office before noon) /DA (/Helv 10 Tf 0 g) /F 4 >>
        << /Type /Annot /Subtype /FreeText /Rect [20 5 280 30] /Contents (Never shown) /DA (/Helv 10 Tf 0 g) /F 2 >>
        << /Type /Annot /Subtype /FreeText /Rect [160 140 280 170] /Contents (Not drawn) /AP << /N 5 0 R >> /F 4 >>]`,
        [
          pdfStream(
            '/Type /XObject /Subtype /Form /BBox [0 0 120 30] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>',
            'BT /F 12 Tf 2 10 Td (Drawn note) Tj ET',
          ),
          pdfStream('/Type /XObject /Subtype /Form /BBox [0 0 14 14]', '2 2 m 12 12 l S 2 12 m 12 2 l S'),
        ],
      ),
      'pdf',
    )
    const read = readFileSync((await convertFile(MD, path)).path, 'utf8')
    for (const expected of [
      '☒ Married',
      '☐ Insured',
      '☒ By letter',
      'Please call the office before noon',
      'Drawn note',
    ])
      expect(read).toContain(expected)
    expect(read).not.toMatch(/Never shown|Not drawn|png/)
    const { path: word } = await convertFile(DOCX, path)
    expect(tool('pandoc', '-t', 'plain', word)).toContain('☐ Insured')
  })

  test('comments become notes at the words that they mark, or not at all', async () => {
    const comment = (kind: string, rectangle: string, text: string, more = '/F 4') =>
      `<< /Type /Annot /Subtype /${kind} /Rect [${rectangle}] /Contents (${text}) ${more} >>`
    const path = files.write(
      onePagePdf(
        'BT /F 12 Tf 40 160 Td (The first of the lines) Tj 0 -60 Td (The second is below) Tj ET',
        `/MediaBox [0 0 300 200] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>
        /Annots [${comment('Highlight', '62 156 84 172', 'Is it?', '/T (Ann)')} ${comment('Text', '200 96 220 116', 'Too short')}
        ${comment('Underline', '40 96 60 112', 'The')} ${comment('Highlight', '40 96 60 112', 'Hidden', '/F 2')}]`,
      ),
      'pdf',
    )
    const notesOf = (file: string) => tool('pandoc', '-t', 'markdown', file).replace(/\s+/g, ' ').trim()
    const expected = 'The first[^1] of the lines The second is below[^2] [^1]: Ann: Is it? [^2]: Too short'
    expect(notesOf((await convertFile(DOCX, path)).path)).toBe(expected)
    const { path: markdown } = await convertFile(MD, path)
    expect(tool('pandoc', '-f', 'gfm', '-t', 'markdown', markdown).replace(/\s+/g, ' ').trim()).toBe(expected)
    expect(readFileSync((await convertFile(MD, path, { comments: false })).path, 'utf8')).not.toContain('Ann')
  })

  test('an attached file is a note at its place, or named in a warning', async () => {
    const source = files.write(
      onePagePdf(
        'BT /F 12 Tf 40 160 Td (The figures) Tj ET',
        `/MediaBox [0 0 300 200] /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>
        /Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [80 156 96 172] /F 4 /Contents (as of May)
        /FS << /Type /Filespec /F (sums.csv) /UF (sums.csv) >> >>]`,
      ),
      'pdf',
    )
    const path = files.path('attached.pdf')
    tool(
      'qpdf',
      source,
      '--add-attachment',
      files.write(Buffer.from('a,b'), 'csv'),
      '--filename=table.csv',
      '--',
      path,
    )
    const result = await convertFile(MD, path)
    expect(readFileSync(result.path, 'utf8')).toContain('[^1]: 📎 sums.csv: as of May')
    expect(result.warnings).toEqual([expect.stringContaining('table.csv')])
  })

  testFull('10,000 objects and bookmarks in a circle', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `<< /Type /Nothing /N ${index} >>`)
    const path = files.write(
      rawPdf([
        '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
        '<< /Length 45 >>\nstream\nBT /F 12 Tf 20 100 Td (One line of text) Tj ET\nendstream',
        '<< /First 6 0 R /Last 6 0 R >>',
        '<< /Title (Round) /Parent 5 0 R /Next 6 0 R /First 6 0 R /Dest [3 0 R /Fit] >>',
        ...lines,
      ]),
      'pdf',
    )
    expect(readFileSync((await convertFile(MD, path)).path, 'utf8')).toBe('One line of text\n')
  })
})
