import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { onePagePdf, pdfStream } from '../../../../../testing/pdf.ts'

const files = testFiles('annotations')

/** Annotations without an appearance, by what is drawn of them, each in a cell of 60 × 40 whose lower left corner is `x y`. */
const SHOWN: ((x: number, y: number) => string)[] = [
  () => '/Subtype /Text /Contents (a note)',
  () => '/Subtype /FreeText /Contents (free text in lines) /DA (0 0 1 rg /Helv 9 Tf)',
  () => '/Subtype /FreeText /Contents <FEFF04160443043A002067714EAC> /DS (font: 10pt Arial; color:#ff0000)',
  (x, y) =>
    `/Subtype /Line /L [${x} ${y + 20} ${x + 50} ${y + 20}] /LE [/Circle /ClosedArrow] /IC [1 0 0] /C [0]`,
  (x, y) => `/Subtype /Line /L [${x} ${y + 10} ${x + 50} ${y + 10}] /LL 12 /Cap true /Contents (5 cm)`,
  () => '/Subtype /Square /C [1 0 0] /BS << /W 2 /S /D /D [3 1] >>',
  () => '/Subtype /Circle /IC [0 1 0] /C []',
  (x, y) => `/Subtype /Polygon /Vertices [${x} ${y} ${x + 40} ${y} ${x + 20} ${y + 30}]`,
  (x, y) =>
    `/Subtype /PolyLine /Vertices [${x} ${y} ${x + 40} ${y} ${x + 20} ${y + 30}] /LE [/Slash /OpenArrow]`,
  (x, y) =>
    `/Subtype /Highlight /QuadPoints [${x} ${y + 20} ${x + 50} ${y + 20} ${x} ${y} ${x + 50} ${y}] /C [1 1 0 0]`,
  () => '/Subtype /Underline',
  () => '/Subtype /StrikeOut /C [1 0 0] /CA 0.5',
  () => '/Subtype /Squiggly',
  (x, y) => `/Subtype /Ink /InkList [[${x} ${y} ${x + 20} ${y + 30} ${x + 40} ${y}] [${x} ${y}]]`,
  () => '/Subtype /Stamp /Name /NotApproved',
  () => '/Subtype /FileAttachment /FS << /Type /Filespec /F (a.txt) >>',
  () => '/Subtype /Redact',
  // The still picture of a video.
  () => '/Subtype /Movie /AP << /N 5 0 R >>',
]
/** What nobody sees, and what cannot be drawn. */
const EMPTY = ['/Subtype /Square /F 2', '/Subtype /Text /IRT 6 0 R', '/Subtype /Popup /Open true']
const MISSING = [
  '/Subtype /Caret /RD [2 2 2 2]',
  '/Subtype /Movie /Movie << /F (a.mov) >>',
  '/Subtype /Line /L [1]',
  '/Subtype /Ink /InkList 7',
]

const cell = (index: number) => ({ x: 10 + (index % 5) * 70, y: 10 + Math.floor(index / 5) * 50 })

const commentsPdf = (annotations: readonly ((x: number, y: number) => string)[]) => {
  const objects = annotations.map((annotation, index) => {
    const { x, y } = cell(index)
    return `<< /Type /Annot /F 4 /Rect [${x} ${y} ${x + 60} ${y + 40}] ${annotation(x, y)} >>`
  })
  const numbers = objects.map((_, index) => `${index + 6} 0 R`).join(' ')
  return onePagePdf('', `/MediaBox [0 0 360 300] /Annots [${numbers}]`, [
    pdfStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '1 0 0 rg 0 0 9 9 re f'),
    ...objects,
  ])
}

/** How much darker than white each cell of a page is, from 0 to 1. */
async function inks(picture: string | Buffer, count: number): Promise<number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index++) {
    const { x, y } = cell(index)
    const part = await sharp(picture)
      .extract({ left: x, top: 300 - y - 40, width: 60, height: 40 })
      .png()
      .toBuffer()
    const { channels } = await sharp(part).stats()
    found.push(1 - Math.min(...channels.map(({ mean }) => mean)) / 255)
  }
  return found
}

test('comments without an appearance are drawn, also in PDF/A, and what cannot be drawn is said', async () => {
  const all = [...SHOWN, ...[...EMPTY, ...MISSING].map(each => () => each)]
  const path = files.write(commentsPdf(all), 'pdf')
  const picture = await convertFile('document.pdf-to-png', path, { dpi: 72 })
  const archived = await convertFile('document.pdf-to-pdfa', path)
  tool('pdftoppm', '-r', '72', '-png', '-singlefile', archived.path, files.path('archived'))
  for (const [drawn, { warnings }] of [
    [picture.path, picture],
    [files.path('archived.png'), archived],
  ] as const) {
    const found = await inks(drawn, all.length)
    for (const [index, ink] of found.entries())
      if (index < SHOWN.length) expect(ink, SHOWN[index]!(0, 0)).toBeGreaterThan(0.003)
      else expect(ink, all[index]!(0, 0)).toBe(0)
    expect(warnings.join()).toMatch(/cannot be drawn.*: 1\./)
  }
  expect(archived.warnings.join()).not.toContain('stored as pictures')
  expect(tool('pdffonts', archived.path)).toContain('Arimo')
})
