import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { psnr } from '../../../../../testing/fixtures/pixels.ts'
import { makePdf, onePagePdf } from '../../../../../testing/pdf.ts'
import { validatePdfA } from '../../../../../testing/pdfa.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'

const files = testFiles('rebuilt')
const source = files.path('distrusted.pdf')

/** Two pages with a script, links, a field, an attachment, bookmarks, tags and properties. */
beforeAll(async () => {
  await makePdf(
    source,
    document => {
      document.initForm()
      for (const word of ['alpha', 'bravo']) {
        if (word === 'bravo') document.addPage()
        document.outline.addItem(`Chapter ${word}`)
        document.rect(40, 350, 150, 40).fill('#2255aa').fillColor('#000')
        document.fontSize(20).text(`Page ${word} ΩЖ`, 40, 40, { link: 'https://tracker.example/' })
        document.formText(`field-${word}`, 40, 200, 150, 20, { value: `value ${word}` })
      }
      document.file(Buffer.from('payload'), { name: 'payload.exe' })
      document.addNamedJavaScript('start', 'app.alert(1)')
    },
    {
      size: 'A6',
      font: 'resources/fonts/Tinos-Regular.ttf',
      info: { Title: 'Secret title', Author: 'Secret author' },
    },
  )
})

const textOf = (path: string, ...more: string[]) => tool('pdftotext', ...more, path, '-')
const drawn = (path: string, page: number) => {
  const args = ['-png', '-cropbox', '-r', '72', '-f', String(page), '-l', String(page), '-singlefile']
  tool('pdftoppm', ...args, path, files.path('page'))
  return onWhite(decode(files.path('page.png')))
}
/** Decibels; a blank page has 15, since fonts that are not embedded look different from one reader to another. */
const likeness = (path: string, other: string, page: number) => psnr(drawn(path, page), drawn(other, page))
/** The keys of all dictionaries of a file, apart from those inside of its streams, and its bytes with all streams unpacked. */
const insideOf = (path: string) => {
  const { qpdf } = JSON.parse(tool('qpdf', '--json', path)) as { qpdf: unknown }
  const keys = new Set<string>()
  JSON.stringify(qpdf, (key, value) => {
    if (key.startsWith('/')) keys.add(key)
    return value
  })
  tool('qpdf', '--qdf', '--object-streams=disable', path, files.path('plain.pdf'))
  return { keys, plain: readFileSync(files.path('plain.pdf'), 'latin1') }
}
/** What a picture of a page, its invisible text and the document around them consist of, and how qpdf packs them. */
const NEEDED = new Set(
  (
    '/Annots /Ascent /BaseFont /BitsPerComponent /CapHeight /CIDSystemInfo /CIDToGIDMap /ColorSpace /Columns /Contents /Count ' +
    '/DecodeParms /DescendantFonts /Descent /DW /Encoding /ExtGState /Filter /Flags /Font /FontBBox /FontDescriptor /FontFile2 ' +
    '/FontName /Height /ID /Info /ItalicAngle /Kids /Length /Length1 /MediaBox /N /Ordering /Pages /Parent /Predictor /Producer ' +
    '/Registry /Resources /Root /Rotate /Size /StemV /Subtype /Supplement /ToUnicode /Type /W /Width /XObject'
  ).split(' '),
)

test('a rebuilt PDF looks and reads the same, and nothing else of the file is left', async () => {
  const whatIsThere = insideOf(source)
  expect(whatIsThere.keys).toContain('/JavaScript')
  for (const text of ['tracker.example', 'app.alert', 'payload.exe', 'Chapter', 'field-alpha', 'Secret'])
    expect(whatIsThere.plain.replaceAll('\0', '')).toContain(text)

  const { path, warnings } = await convertFile('document.pdf-to-pdf', source, { rebuild: true })
  expect(warnings).toEqual([])
  expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
  expect(textOf(path)).toMatch(/^Page alpha ΩЖ\s+\f\s*Page bravo ΩЖ\s*$/)
  for (const page of [1, 2]) expect(likeness(path, source, page)).toBeGreaterThan(20)

  const { keys, plain } = insideOf(path)
  const others = [...keys].filter(key => !NEEDED.has(key) && !/^\/(Im\d+|F\w+)$/.test(key))
  expect(others).toEqual([])
  expect(plain).not.toMatch(/\/Annots \[\s*\d/)
  expect(plain.replaceAll('\0', '')).not.toMatch(/tracker|alert|payload|Chapter|field-|Secret|Tinos/)
})

test('the text is where it is shown, also on rotated and cropped pages, and what is cut off is left out', async () => {
  const content =
    '0.2 0.4 0.8 rg 30 20 60 50 re f 0 g BT /F1 20 Tf 40 150 Td (seen) Tj ET BT /F1 20 Tf 300 20 Td (cut) Tj ET'
  const font = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const crop = '/MediaBox [0 0 400 200] /CropBox [20 10 220 190]'
  for (const angle of [0, 90, 180, 270]) {
    const turned = files.path(`turned-${angle}.pdf`)
    writeFileSync(turned, onePagePdf(content, `${crop} ${font} /Rotate ${angle}`))
    const { path } = await convertFile('document.pdf-to-pdf', turned, { rebuild: true })
    expect(textOf(path)).toMatch(/^seen\s*$/)
    expect(likeness(path, turned, 1)).toBeGreaterThan(20)
    const box = (pdf: string) => {
      const [word = ''] = textOf(pdf, '-bbox').match(/<word .*>seen/) ?? []
      const [left = 0, top = 0, right = 0, bottom = 0] = [...word.matchAll(/="([\d.]+)"/g)].map(([, n]) =>
        Number(n),
      )
      return [(left + right) / 2, (top + bottom) / 2]
    }
    // Of the source, poppler gives places on the paper before it is cropped.
    const [x = 0, y = 0] = box(path)
    const shown = { 0: [42, 34], 90: [146, 42], 180: [158, 146], 270: [34, 158] }[angle]!
    expect(Math.abs(x - shown[0]!)).toBeLessThan(8)
    expect(Math.abs(y - shown[1]!)).toBeLessThan(8)
  }
})

/** Words of the first page with the middles of their boxes, in points from the upper left corner of the displayed page. */
const wordsOf = (path: string): Record<string, [number, number]> =>
  Object.fromEntries(
    [...textOf(path, '-bbox').matchAll(/<word (.*)>(.*)<\/word>/g)].map(([, places = '', word]) => {
      const [left = 0, top = 0, right = 0, bottom = 0] = [...places.matchAll(/="([\d.-]+)"/g)].map(([, n]) =>
        Number(n),
      )
      return [word, [(left + right) / 2, (top + bottom) / 2]]
    }),
  )

test('the text of a damaged file is where it is shown, however its pages are turned', async () => {
  const [width, height] = [300, 200]
  const shown = 'BT /F1 20 Tf 40 150 Td (alpha bravo) Tj 100 -90 Td (charlie delta) Tj ET'
  const font = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const upright = files.path('upright.pdf')
  writeFileSync(upright, onePagePdf(shown, `/MediaBox [0 0 ${width} ${height}] ${font}`))
  const places = wordsOf(upright)
  expect(Object.keys(places)).toEqual(['alpha', 'bravo', 'charlie', 'delta'])
  /** How each angle turns what is shown back onto the paper. */
  const turns = {
    90: [`0 1 -1 0 ${height} 0`, height, width],
    180: [`-1 0 0 -1 ${width} ${height}`, width, height],
    270: [`0 -1 1 0 0 ${width}`, height, width],
  } as const
  const wrong: unknown[] = []
  for (const [angle, [matrix, ...paper]] of Object.entries(turns)) {
    const page = `/MediaBox [0 0 ${paper.join(' ')}] /Rotate ${angle} ${font}`
    // A third of the files keep to no operators that there are, a third count a page that is not there.
    for (const [job, options, content, count] of [
      ['document.pdf-to-pdf', { rebuild: true }, shown, 1],
      ['document.pdf-to-pdfa', {}, `${shown} frobnicate`, 1],
      ['document.pdf-to-pdfa', {}, shown, 2],
    ] as const) {
      const whole = onePagePdf(`q ${matrix} cm ${content} Q`, page).toString('latin1')
      const cut = whole.slice(0, whole.lastIndexOf('xref\n0')).replace('/Count 1', `/Count ${count}`)
      const damaged = files.path(`damaged-${angle}.pdf`)
      writeFileSync(damaged, cut, 'latin1')
      const { path } = await convertFile(job, damaged, options)
      const found = wordsOf(path)
      const misplaced = Object.entries(places).filter(
        ([word, [x, y]]) => !found[word] || Math.hypot(found[word][0] - x, found[word][1] - y) > 8,
      )
      if (misplaced.length > 0) wrong.push({ angle, job, count, found })
    }
  }
  expect(wrong).toEqual([])
})

test('chosen pages, a new password, PDF/A and Markdown are rebuilt too', async () => {
  const chosen = await convertFile('document.pdf-to-pdf', source, {
    rebuild: true,
    pages: '2',
    newPassword: 'n',
  })
  expect(textOf(chosen.path, '-upw', 'n')).toMatch(/^Page bravo/)
  expect(judge('qpdf', '--check', chosen.path).status).not.toBe(0)

  const archived = await convertFile('document.pdf-to-pdfa', source, { rebuild: true })
  expect(insideOf(archived.path).plain.replaceAll('\0', '')).not.toMatch(
    /tracker|alert|payload|Chapter|field-|Secret/,
  )
  expect(textOf(archived.path)).toContain('Page alpha ΩЖ')

  const text = files.path('a.md')
  writeFileSync(text, '# Heading\n\nSome [words](https://tracker.example/).')
  const set = await convertFile('document.md-to-pdf', text, { rebuild: true, pdfa: true })
  expect(textOf(set.path)).toMatch(/Some words\s*\./)
  expect(insideOf(set.path).plain).not.toMatch(/tracker|\/URI/)
  expect(await validatePdfA([archived.path, set.path])).toEqual({})
})
