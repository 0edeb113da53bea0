/** Pictures in Word documents that become Markdown and books: LibreOffice draws those of Windows. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkEpubs } from '../../../../../../testing/books.ts'
import { testFiles } from '../../../../../../testing/files.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { docx, pictureOf } from '../../../../../../testing/fixtures/office.ts'
import { emf, type Filled, placeable, wmf } from '../../../../../../testing/metafiles.ts'
import { decode, makePicture } from '../../../../../../testing/pictures.ts'

const files = testFiles('word-pictures')

/** A document with these pictures, by file name. */
function documentWith(pictures: Record<string, Uint8Array>): string {
  const names = Object.keys(pictures)
  const bytes = docx({
    paragraphs: ['Pictures'],
    body: names.map((_, index) => pictureOf(`p${index}`, 'embed')).join(''),
    links: names.map((name, index) => ({ id: `p${index}`, type: 'image', target: `media/${name}` })),
    parts: names.map(name => ({ name: `word/media/${name}`, content: pictures[name]! })),
  })
  return files.write(bytes, 'docx')
}

const shapes: Filled[] = [
  { box: [0, 0, 1000, 1000], color: [200, 30, 40] },
  { box: [1000, 0, 2000, 500], color: [20, 60, 180] },
]

/** The colour at the centre of each quarter: upper left, upper right, lower left, lower right. */
function quarters(path: string): number[][] {
  const { width, height, data } = decode(path)
  const at = (x: number, y: number) => {
    const start = (Math.floor(height * y) * width + Math.floor(width * x)) * 4
    return [...data.subarray(start, start + 3)]
  }
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)]
}
const drawn = [
  [200, 30, 40],
  [20, 60, 180],
  [200, 30, 40],
  [255, 255, 255],
]

describe('Windows drawings', () => {
  test('become pictures of their size in Markdown and in books; others are kept unchanged', async () => {
    const path = documentWith({
      'a.emf': emf(shapes),
      'b.wmf': wmf(shapes),
      'c.wmf': placeable(wmf(shapes), 1000),
      'd.emz': gzipSync(emf(shapes)),
      'empty.emf': emf([]),
    })
    const { outputs, warnings } = await convertFile('document.docx-to-md', path)
    expect(outputs.map(({ name }) => name).slice(1)).toEqual([
      ...['image-1.png', 'image-2.png', 'image-3.png', 'image-4.png'],
      'image-5.emf',
    ])
    for (const output of outputs.slice(1, 5)) {
      expect(decode(output.path)).toMatchObject({ width: 283, height: 283 })
      expect(quarters(output.path), output.name).toEqual(drawn)
    }
    expect(readFileSync(outputs[5]!.path)).toEqual(emf([]))
    expect(warnings).toEqual([expect.stringContaining('A drawing is in a format of Windows')])

    const book = await convertFile(
      'document.docx-to-epub',
      documentWith({ 'a.emf': emf(shapes), 'empty.emf': emf([]) }),
    )
    if (isFull) expect((await checkEpubs(book.path)).get(book.path)).toEqual([])
    tool('unzip', '-q', '-d', join(dirname(book.path), 'book'), book.path)
    const chapter = tool('unzip', '-p', book.path, '*chapter1.xhtml')
    expect([...chapter.matchAll(/<img [^>]*width="189"/g)]).toHaveLength(1)
    expect(book.warnings).toEqual([expect.stringContaining('A picture could not be kept')])
  })
})

test('pictures that browsers cannot show become PNG', async () => {
  const source = files.path('source.png')
  tool(
    'convert',
    '-size',
    '64x64',
    'xc:rgb(200,30,40)',
    '-fill',
    'rgb(20,60,180)',
    ...['-draw', 'rectangle 32,0 63,31'],
    source,
  )
  const made = (suffix: string) => readFileSync(makePicture(source, files.path(`made.${suffix}`)))
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#c81e28"/><rect x="32" width="32" height="32" fill="#143cb4"/></svg>'
  const path = documentWith({
    'a.tiff': made('tiff'),
    'b.bmp': made('bmp'),
    'c.ico': made('ico'),
    'd.webp': made('webp'),
    'e.svg': Buffer.from(svg),
    'f.pict': made('pict'),
    'g.gif': made('gif'),
  })
  const { outputs, warnings } = await convertFile('document.docx-to-md', path)
  expect(warnings).toEqual([])
  expect(outputs.map(({ name }) => name).slice(1)).toEqual([
    ...[1, 2, 3, 4, 5, 6].map(number => `image-${number}.png`),
    'image-7.gif',
  ])
  const [red, blue] = drawn
  for (const { path: picture, name } of outputs.slice(1))
    expect(quarters(picture), name).toEqual([red, blue, red, red])
})
