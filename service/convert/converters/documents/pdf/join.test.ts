import { basename } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { bundled } from '../../../../../testing/bundle.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../../testing/fixtures/full.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { psnr } from '../../../../../testing/fixtures/pixels.ts'
import { makePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { validatePdfA } from '../../../../../testing/pdfa.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'

const files = testFiles('join')
const [first, second, picture] = ['first.pdf', 'second.pdf', 'picture.png'].map(name => files.path(name)) as [
  string,
  string,
  string,
]

/** Two documents whose bookmarks, names, fields and tags have equal names. */
beforeAll(async () => {
  for (const [path, words] of [
    [first, ['alpha', 'bravo']],
    [second, ['charlie', 'delta', 'echo']],
  ] as const)
    await makePdf(
      path,
      document => {
        document.initForm()
        for (const [index, word] of words.entries()) {
          if (index > 0) document.addPage()
          document.outline.addItem(`Chapter ${word}`)
          const tag = document.struct('P', {}, () => document.fontSize(30).text(`Page ${word}`))
          document.addStructure(tag)
          document.addNamedDestination(`dest ${index}`)
          document.goTo(72, 300, 90, 20, `dest ${(index + 1) % words.length}`)
          document.formText(`field ${index}`, 72, 350, 200, 20, { value: `value ${word}` })
        }
      },
      { tagged: true, size: 'A5' },
    )
  await sharp({ create: { width: 90, height: 60, channels: 3, background: '#c04020' } })
    .png()
    .toFile(picture)
})

async function join(paths: readonly string[], options: Record<string, unknown> = {}) {
  const bundle = files.write(Buffer.from(''), 'tmp').replace(/tmp$/, 'bundle')
  await bundled(bundle, paths)
  return convertFile('document.files-to-pdf', bundle, options)
}

const drawn = (path: string, page: number) => {
  tool(
    'pdftoppm',
    '-png',
    '-r',
    '72',
    '-f',
    `${page}`,
    '-l',
    `${page}`,
    '-singlefile',
    path,
    files.path('page'),
  )
  return onWhite(decode(files.path('page.png')))
}

/** A picture as an address. */
const dot = async () => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}

interface Outline {
  title: string
  destpageposfrom1: number
  kids: Outline[]
}

testFull('files become pages in order, with their bookmarks, links, fields and tags', async () => {
  const { path, warnings } = await join([first, picture, second])
  expect(warnings).toEqual([])
  expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
  const text = (of: string) => tool('pdftotext', of, '-').split('\f').slice(0, -1)
  expect(text(path)).toEqual([...text(first), '', ...text(second)])
  for (const [page, of, own] of [
    [1, first, 1],
    [2, first, 2],
    [4, second, 1],
    [6, second, 3],
  ] as const)
    expect(psnr(drawn(path, page), drawn(of, own))).toBe(Number.POSITIVE_INFINITY)
  const { outlines, acroform } = JSON.parse(tool('qpdf', '--json', path)) as {
    outlines: Outline[]
    acroform: { fields: { fullname: string; value: string; pageposfrom1: number }[] }
  }
  const shown = (list: readonly Outline[]): unknown[] =>
    list.map(({ title, destpageposfrom1, kids }) => [title, destpageposfrom1, ...shown(kids)])
  expect(shown(outlines)).toEqual([
    ['first', 1, ['Chapter alpha', 1], ['Chapter bravo', 2]],
    ['picture', 3],
    ['second', 4, ['Chapter charlie', 4], ['Chapter delta', 5], ['Chapter echo', 6]],
  ])
  expect(acroform.fields.map(({ fullname, value, pageposfrom1 }) => [fullname, value, pageposfrom1])).toEqual(
    [
      ['field 0', 'u:value alpha', 1],
      ['field 1', 'u:value bravo', 2],
      ['field 0 2', 'u:value charlie', 4],
      ['field 1 2', 'u:value delta', 5],
      ['field 2', 'u:value echo', 6],
    ],
  )
  // Links by name lead to the pages of their own file.
  expect(linksOf(path)).toEqual([2, 1, undefined, 5, 6, 4])
  const tags = tool('pdfinfo', '-struct-text', path)
  expect([...tags.matchAll(/Page (\w+)/g)].map(([, word]) => word)).toEqual([
    'alpha',
    'bravo',
    'charlie',
    'delta',
    'echo',
  ])
})

test('a file that cannot be read is left out, and says so', async () => {
  const damaged = files.write(Buffer.from('%PDF-1.4 nothing'), 'pdf')
  const { path, warnings } = await join([damaged, second], { bookmarks: false })
  expect(warnings[0]).toContain(basename(damaged))
  expect(tool('pdfinfo', path)).toMatch(/Pages:\s+3/)
  expect(JSON.parse(tool('qpdf', '--json', path)).outlines).toEqual([])
  await expect(join([damaged])).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

testFull('a tree of names that is very deep, or contains itself, costs its names only', async () => {
  // The full depth fills the stack of who follows it from within itself.
  const depth = isFull ? 12_000 : 100
  const nodes = Array.from({ length: depth }, (_, at) => `<< /Kids [${at === depth - 1 ? 5 : at + 6} 0 R] >>`)
  const path = files.write(
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /Names << /Dests 5 0 R >> >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 200 100] >>',
      pdfStream('', '0 0 99 50 re f'),
      ...nodes,
    ]),
    'pdf',
  )
  const joined = await join([path, picture])
  expect(joined.warnings).toEqual([])
  expect(tool('pdfinfo', joined.path)).toMatch(/Pages:\s+2/)
})

testFull('a PDF of accessible documents is accessible; otherwise those that are not are named', async () => {
  const text = '# Title\n\n[A link](https://example.com)\n\n- one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
  const documents = [text, text.replace('Title', 'Other')].map(each => files.write(Buffer.from(each), 'md'))
  const whole = await join(documents, { accessible: true })
  expect(whole.warnings).toEqual([])
  expect(tool('qpdf', '--qdf', '--object-streams=disable', whole.path, '-')).toContain('pdfuaid:part="1"')
  expect(await validatePdfA([whole.path], 'ua1')).toEqual({})
  const undescribed = files.write(Buffer.from(`${text}\n![](${await dot()})\n`), 'md')
  const mixed = await join([documents[0]!, undescribed, picture], { accessible: true })
  expect(mixed.warnings).toEqual([
    expect.stringContaining('A picture has no description'),
    expect.stringContaining(`have no tags: ${basename(undescribed, '.md')}, picture.`),
  ])
  expect(tool('qpdf', '--qdf', '--object-streams=disable', mixed.path, '-')).not.toContain('pdfuaid')
})

testFull('that a file cannot become smaller is no reason to warn', async () => {
  const packed = async (path: string) =>
    (await convertFile('document.pdf-to-pdf', path, { compression: 'none' })).path
  const smallest = await packed(await packed(second))
  expect((await join([smallest])).warnings).toEqual([])
})

test.each([
  ['no list', 'nothing\n'],
  ['sizes that are not its own', '[{"name":"a","format":"pdf","bytes":99}]\nxx'],
  ['a negative size', '[{"name":"a","format":"pdf","bytes":-1},{"name":"b","format":"pdf","bytes":3}]\nxx'],
])('a bundle with %s is refused', async (_, content) => {
  const path = files.write(Buffer.from(content), 'bundle')
  await expect(convertFile('document.files-to-pdf', path)).rejects.toMatchObject({
    code: 'jobs.corrupt_input',
  })
})

/** The page that the link of each page leads to. */
function linksOf(path: string): (number | undefined)[] {
  interface Annotation {
    '/Subtype': string
    '/Dest'?: unknown[]
    '/A'?: string | { '/D': unknown[] }
  }
  const json = JSON.parse(tool('qpdf', '--json', path)) as {
    pages: { object: string }[]
    qpdf: [object, Record<string, { value: unknown }>]
  }
  const follow = (value: unknown) =>
    typeof value === 'string' ? (json.qpdf[1][`obj:${value}`]?.value ?? value) : value
  return json.pages.map(({ object }) => {
    const page = follow(object) as { '/Annots'?: unknown }
    const annotations = ((follow(page['/Annots']) ?? []) as unknown[]).map(follow) as Annotation[]
    const link = annotations.find(annotation => annotation['/Subtype'] === '/Link')
    const action = follow(link?.['/A']) as { '/D': unknown } | undefined
    const [target] = (follow(link?.['/Dest'] ?? action?.['/D']) ?? []) as unknown[]
    const index = json.pages.findIndex(({ object }) => object === target)
    return index === -1 ? undefined : index + 1
  })
}

testFull('files rebuilt from pixels are joined without their links, fields and tags', async () => {
  const { path, warnings } = await join([first, picture], { rebuild: true })
  expect(warnings).toEqual([])
  expect(tool('pdftotext', path, '-')).toMatch(/^Page alpha\s+\fPage bravo\s+\f\s*$/)
  const { acroform } = JSON.parse(tool('qpdf', '--json', path))
  expect(acroform.fields).toEqual([])
  expect(tool('pdfinfo', path)).toMatch(/Tagged:\s+no/)
  expect(tool('pdfinfo', '-dests', path)).not.toContain('dest')
  expect(tool('pdfimages', '-list', path).trim().split('\n')).toHaveLength(2 + 3)
})
