import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkEpubs } from '../../../../../testing/books.ts'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile, measureFile } from '../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { typeset } from '../../../../../testing/fixtures/typst.ts'
import { faultOf, malformed } from '../../../../../testing/malformed.ts'
import { makePdf } from '../../../../../testing/pdf.ts'
import { orderScore, wordRecall, wordsOf } from '../../../../../testing/words.ts'
import type { JobFailure } from '../../../../shared/errors.ts'
import { childOf, childrenOf, findIn, textOf, type XmlElement } from '../../../engines/common/xml/element.ts'
import { readTree } from '../../../engines/common/xml/tree.ts'

const files = testFiles('pdf-book')
const JOB = 'ebook.pdf-to-epub'

const SETUP = `#set page(width: 380pt, height: 480pt, margin: 40pt)
  #set text(hyphenate: false)
  #set document(title: "The survey", author: ("Jane Doe", "Max Poe"), keywords: ("fields", "barns"),
    date: datetime(year: 2021, month: 5, day: 4))\n`

const BOOK = `${SETUP}
= The valley
The first part has _some emphasis_, a #link("https://example.com/x?a=1&b=2")[link out], and a note#footnote[It says *more* of it.].
It costs 3 < 5 & 7 > 2, H#sub[2]O and 10#super(typographic: false)[th]. More is in #link(<barns>)[the part on barns].

- one
  - nested
- two

#table(columns: 2, table.header([*Year*], [*Count*]), [1990], [12], [1991], [14])

== The fields
#lorem(120)

\`\`\`
if a:
    b
\`\`\`
== The roads
#lorem(150) Another note#footnote[The second one.] is here.

= The barns <barns>
#lorem(200)

+ first
+ second
`

/** The files of a book, and its documents in spine order without the cover. */
function open(path: string) {
  const parts = unzipSync(readFileSync(path))
  const text = (name: string) => strFromU8(parts[`EPUB/${name}`]!)
  const book = readTree(text('package.opf')).root
  const chapters = Object.keys(parts)
    .filter(name => /chapter\d+\.xhtml$/.test(name))
    .sort((one, other) => Number(/\d+/.exec(one)) - Number(/\d+/.exec(other)))
    .map(name => text(name.slice('EPUB/'.length)))
  const cover = () => {
    const items = childrenOf(childOf(book, 'manifest'), 'item')
    const item = items.find(({ attributes: { properties } }) => properties === 'cover-image')
    return item && parts[`EPUB/${item.attributes.href}`]
  }
  return { parts, text, book, chapters, all: chapters.join('\n'), cover }
}

/** Text of XHTML, separated by blocks. */
const plain = (xhtml: string) =>
  xhtml
    .replace(/^[\s\S]*?<body>/, '')
    .replace(/<\/?(?:strong|em|a|sup|sub|code)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

type Entries = [string, Entries][]

/** Titles of a table of contents, each with those below it. */
function contentsIn(xhtml: string): Entries {
  const entries = (list: XmlElement | undefined): Entries =>
    childrenOf(list, 'li').map(item => [textOf(childOf(item, 'a')), entries(childOf(item, 'ol'))])
  return entries(childOf(findIn(readTree(xhtml).root, 'nav'), 'ol'))
}

/** Books that EPUBCheck checks together at the end. */
const books: string[] = []

let source = ''
let converted: Awaited<ReturnType<typeof convertFile>>
let opened: ReturnType<typeof open>
beforeAll(async () => {
  source = files.write(typeset(BOOK), 'pdf')
  converted = await convertFile(JOB, source)
  opened = open(converted.path)
})

describe('a book', () => {
  test('has all words of the PDF in order', () => {
    books.push(converted.path)
    expect(converted.warnings).toEqual([])
    const poppler = wordsOf(tool('pdftotext', source, '-'))
    const own = wordsOf(opened.chapters.map(plain).join('\n'))
    expect(wordRecall(poppler, own)).toBeGreaterThanOrEqual(0.98)
    // Notes are at the end of pages in the PDF, and at the end of chapters in the book.
    expect(orderScore(poppler, own)).toBeGreaterThanOrEqual(0.95)
  })

  test('has the outline as its table of contents, and a file for each chapter', () => {
    expect(contentsIn(opened.text('nav.xhtml'))).toEqual([
      [
        'The valley',
        [
          ['The fields', []],
          ['The roads', []],
        ],
      ],
      ['The barns', []],
    ])
    expect(opened.chapters).toHaveLength(2)
    expect(opened.text('nav.xhtml')).toContain('href="chapter2.xhtml#')
    expect(opened.chapters[1]).toMatch(/<h1 id="h\d+">The barns<\/h1>/)
  })

  test('keeps lists, tables, code, marks and links', () => {
    const { all } = opened
    expect(all).toContain(
      '<em>some emphasis</em>, a <a href="https://example.com/x?a=1&amp;b=2">link out</a>',
    )
    expect(all).toContain('3 &lt; 5 &amp; 7 &gt; 2, H<sub>2</sub>O and 10<sup>th</sup>')
    expect(all.replace(/\s+/g, '')).toContain('<ul><li>one<ul><li>nested</li></ul></li><li>two</li></ul>')
    expect(all).toMatch(
      /<thead>\s*<tr><th><strong>Year<\/strong><\/th><th><strong>Count<\/strong><\/th><\/tr>\s*<\/thead>/,
    )
    expect(all).toContain('<tr><td>1990</td><td>12</td></tr>')
    expect(all).toContain('<pre><code>if a:\n    b</code></pre>')
    expect(all.replace(/\s+/g, '')).toContain('<ol><li>first</li><li>second</li></ol>')
    const [, target] = /<a href="(chapter2\.xhtml#h\d+)">the part on barns<\/a>/.exec(all)!
    expect(opened.chapters[1]).toContain(`id="${target!.split('#')[1]}">The barns`)
  })

  test('has footnotes with links there and back', () => {
    const { all } = opened
    const notes = [
      ...all.matchAll(
        /<aside epub:type="footnote"[^>]* id="(n\d+)"><p><a [^>]*href="#(r\d+)">\[\d+\]<\/a><\/p>\n<p>(.*?)<\/p>/g,
      ),
    ]
    expect(notes.map(([, , , text]) => text)).toEqual([
      'It says <strong>more</strong> of it.',
      'The second one.',
    ])
    for (const [, id, back] of notes) {
      expect(all).toMatch(new RegExp(`epub:type="noteref"[^>]* href="#${id}" id="${back}"`))
    }
  })

  test('has authors, subjects, date and language', () => {
    const metadata = childOf(opened.book, 'metadata')
    const values = (name: string) => childrenOf(metadata, `dc:${name}`).map(textOf)
    expect(values('title')).toEqual(['The survey'])
    expect(values('creator')).toEqual(['Jane Doe', 'Max Poe'])
    expect(values('subject')).toEqual(['fields', 'barns'])
    expect(values('date')).toEqual(['2021-05-04'])
    expect(values('language')).toEqual(['en'])
  })

  test('has the first page as its cover unless that is switched off', async () => {
    const cover = opened.cover()!
    expect(await sharp(cover).metadata()).toMatchObject({ format: 'jpeg', height: 1600 })
    // It looks the same when drawn by another renderer.
    tool('pdftoppm', '-r', '72', '-png', '-singlefile', '-f', '1', source, files.path('first'))
    const size = { width: 95, height: 120, fit: 'fill' } as const
    const pixels = (file: string | Uint8Array) => sharp(file).resize(size).greyscale().raw().toBuffer()
    const [one, other] = [await pixels(cover), await pixels(files.path('first.png'))]
    const difference = one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0) / one.length
    expect(difference).toBeLessThan(8)

    const bare = open((await convertFile(JOB, source, { cover: false })).path)
    expect(bare.cover()).toBeUndefined()
    expect(bare.chapters).toEqual(opened.chapters)
  })

  test('with selected pages has their part of the outline', async () => {
    const pages = Number(/Pages: +(\d+)/.exec(tool('pdfinfo', source))![1])
    const { path } = await convertFile(JOB, source, { pages: `${pages - 1}-${pages}` })
    const part = open(path)
    expect(contentsIn(part.text('nav.xhtml')).at(-1)).toEqual(['The barns', []])
    expect(part.all).not.toContain('some emphasis')
    await expect(convertFile(JOB, source, { pages: '900' })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
  })
})

testFull('pictures are kept once, and one that fills the first page is the cover', async () => {
  const jpeg = (colour: string) =>
    sharp({ create: { width: 300, height: 400, channels: 3, background: colour } })
      .jpeg()
      .toBuffer()
  const [front, inside] = [await jpeg('#c02030'), await jpeg('#2050c0')]
  const path = await makePdf(
    files.path('with pictures.pdf'),
    pdf => {
      pdf.image(front, 0, 0, { width: 300, height: 400 })
      pdf.addPage()
      pdf.text('Before the picture there is a line of text that says so.', 50, 50)
      pdf.image(inside, 50, 100, { width: 90 })
      pdf.image(inside, 150, 100, { width: 90 })
      pdf.text('After it there is another line of text.', 50, 260)
    },
    { size: [300, 400] },
  )
  const result = await convertFile(JOB, path)
  books.push(result.path)
  const { parts, all, book, cover } = open(result.path)
  expect(Object.keys(parts).filter(name => /\.(?:jpg|png)$/.test(name))).toHaveLength(2)
  expect(Buffer.from(cover()!).equals(front)).toBe(true)
  expect(all.match(/<img /g)).toHaveLength(2)
  // The file name is used as the title, since the file has none.
  expect(textOf(findIn(book, 'dc:title'))).toBe('with pictures')
})

testFull('text from right to left and Chinese text keep their direction and language', async () => {
  const arabic = files.write(
    typeset(`#set page(width: 380pt, height: 300pt)\n#set text(dir: rtl, font: "DejaVu Sans")
      = مقدمة الكتاب
      يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.`),
    'pdf',
  )
  const one = await convertFile(JOB, arabic)
  books.push(one.path)
  const right = open(one.path)
  expect(right.text('package.opf')).toMatch(/page-progression-direction="rtl"/)
  expect(right.all).toContain('dir="rtl"')
  expect(textOf(findIn(right.book, 'dc:language'))).toMatch(/^(?:ar|en)$/)

  const chinese = files.write(
    typeset(`#set page(width: 380pt, height: 300pt)\n#set text(font: "Noto Sans SC", lang: "zh")
      = 第一章
      人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。`),
    'pdf',
  )
  const other = await convertFile(JOB, chinese)
  const { all, book } = open(other.path)
  expect(textOf(findIn(book, 'dc:language'))).toBe('zh')
  expect(all).toContain(
    '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  )
})

test('a protected file needs its password, and the price depends on its pages', async () => {
  const path = await makePdf(files.path('secret.pdf'), pdf => pdf.text('The secret text.', 50, 50), {
    userPassword: 'sesame',
  })
  await expect(convertFile(JOB, path)).rejects.toMatchObject({ code: 'jobs.encrypted_input' })
  expect(open((await convertFile(JOB, path, { password: 'sesame' })).path).all).toContain('The secret text.')
  const pages = Number(/Pages: +(\d+)/.exec(tool('pdfinfo', source))![1])
  expect(await measureFile(JOB, source)).toMatchObject({ pages })
})

test('damaged files are converted as far as possible, or refused', async () => {
  const small = typeset(`${SETUP}\n= The valley\nA note#footnote[Of it.] and a text.\n\n- one\n- two`)
  for (const { bytes, name, cut } of malformed(small)) {
    const path = files.write(bytes, 'pdf')
    const result = await convertFile(JOB, path).catch((error: JobFailure) => error)
    if ('outputs' in result) expect(open(result.path).chapters.length, name).toBeGreaterThan(0)
    else if (cut) expect(result.code, name).toBe('jobs.corrupt_input')
    else expect(faultOf(result), name).toBeUndefined()
  }
})

testFull(
  'EPUBCheck finds no error in any of them',
  async () => {
    expect([...(await checkEpubs(...books)).values()]).toEqual(books.map(() => []))
  },
  120_000,
)
