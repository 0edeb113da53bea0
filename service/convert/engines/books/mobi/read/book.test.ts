import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { malformed } from '../../../../../../testing/malformed.ts'
import { type MobiParts, mobiFile } from '../../../../../../testing/mobi.ts'
import { readMobi } from './book.ts'

/** Markup in which `{name}` is replaced by the byte position of `[name]`. */
function withPositions(markup: string, encoding: 'utf8' | 'latin1' = 'utf8'): Buffer {
  // All numbers have ten digits, so that positions do not change when they are filled in.
  const positioned = markup.replace(/\{\w+\}/g, name => name.slice(1, -1).padEnd(10, '\u0001').slice(0, 10))
  const positions = new Map<string, number>()
  let text = positioned
  for (let found = /\[(\w+)\]/.exec(text); found; found = /\[(\w+)\]/.exec(text)) {
    positions.set(
      found[1]!.padEnd(10, '\u0001').slice(0, 10),
      Buffer.from(text.slice(0, found.index), encoding).length,
    )
    text = text.slice(0, found.index) + text.slice(found.index + found[0].length)
  }
  for (const [name, position] of positions) text = text.replaceAll(name, String(position).padStart(10, '0'))
  return Buffer.from(text, encoding)
}

const read = (markup: string, parts: Partial<MobiParts> = {}) =>
  readMobi(mobiFile({ text: withPositions(markup), ...parts }))

const documents = (book: ReturnType<typeof readMobi>) =>
  book.spine.map(({ href }) => Buffer.from(book.resources.get(href)!.bytes).toString())

/** Content of the body of the only document. */
function bodyOf(markup: string, parts: Partial<MobiParts> = {}): string {
  const [document = ''] = documents(read(markup, parts))
  return /<body[^>]*>(.*)<\/body>/s.exec(document)?.[1] ?? ''
}

const page = (body: string, head = '') => `<html><head>${head}</head><body>${body}</body></html>`

test('links refer to bytes of the text in any encoding and chapter', () => {
  const markup = page(
    'Größe <a filepos={one}>one</a> <a filepos="{two}">two</a><mbp:pagebreak/>' +
      '<h1>Ä</h1>[one]<p>One</p><mbp:pagebreak />[two]<mbp:pagebreak/>Two',
    '<guide><reference type="toc" title="Übersicht" filepos={one} /></guide>',
  )
  for (const encoding of ['utf8', 'latin1'] as const) {
    const codePage = encoding === 'utf8' ? 65_001 : 1252
    const book = readMobi(mobiFile({ text: withPositions(markup, encoding), codePage }))
    const [first, second, third] = documents(book)
    const [, one, two] =
      /href="part0002.xhtml#([\w-]+)">one<\/a> <a href="part0003.xhtml#([\w-]+)">two/.exec(first!) ?? []
    expect(second).toContain(`<p id="${one}">One</p>`)
    expect(third).toContain(`<a id="${two}"></a>Two`)
    expect(book.landmarks).toEqual([{ type: 'toc', title: 'Übersicht', href: `text/part0002.xhtml#${one}` }])
  }
})

test('an anchor is never placed between the items of a list or the rows of a table', () => {
  const body = bodyOf(
    page(
      '<a filepos={a}>a</a><a filepos={b}>b</a><a filepos={c}>c</a><ul><li>1</li>[a]<li>2</li></ul>' +
        '<table><tr><td>3</td></tr>[b]<tr><td>4</td></tr></table><p>5[c]</p><p>6</p>',
    ),
  )
  expect(body).toMatch(/<li>1<\/li><li id="[\w-]+">2<\/li>/)
  expect(body).toMatch(/<tr id="[\w-]+"><td>4/)
  expect(body).toMatch(/<p>5<\/p><p id="[\w-]+">6<\/p>/)
})

test.each([
  [
    '<p height="1em" width="-2em" align="center">x</p>',
    'margin-top: 1em; text-indent: -2em; text-align: center',
  ],
  [
    '<p><font size="+2" color="red" face="Times New Roman, serif">x</font></p>',
    'font-size: x-large; color: red; font-family: "Times New Roman", serif',
  ],
  ['<center>x</center>', 'text-align: center'],
  [
    '<table bgcolor="#eeffee" border="2" width="50%"><tr><td>x</td></tr></table>',
    'background-color: #eeffee; border: 2px solid; width: 50%',
  ],
  ['<p><big>x</big></p>', 'font-size: larger'],
])('%s looks as it did', (markup, style) => {
  const book = read(page(markup))
  const [document = ''] = documents(book)
  const [, name] = /class="(look-\d+)"/.exec(document) ?? []
  const css = Buffer.from(book.resources.get('styles/book.css')!.bytes).toString()
  expect(css).toContain(`.${name} { ${style} }`)
  expect(document).not.toMatch(/<(?:font|center|big)|(?:align|bgcolor|border|height|width|style)=/)
})

test('elements are moved to places where XHTML allows them', () => {
  expect(bodyOf(page('<p>1<blockquote>2</blockquote></p><b><p>3</p></b>'))).toBe(
    '<p>1</p><blockquote>2</blockquote><p></p><div class="look-1"><p>3</p></div>',
  )
  expect(bodyOf(page('<ul><li>1</li><ul><li>2</li></ul>text</ul>'))).toBe(
    '<ul><li>1<ul><li>2</li></ul>text</li></ul>',
  )
  expect(bodyOf(page('<li value="3">1</li><mbp:section><p>2</p></mbp:section>'))).toBe('<div>1</div><p>2</p>')
})

test('an anchor without a target has no link attributes', () => {
  expect(bodyOf(page('<a href="main.htm" target="_blank" rel="next">x</a>'))).toBe('<a>x</a>')
})

test('formatting continues after a page break', () => {
  const [, second] = documents(
    read(page('<blockquote height="3em"><i>one<mbp:pagebreak/>two</i></blockquote>')),
  )
  expect(second).toContain('<blockquote><i>two</i></blockquote>')
})

/** A GIF of one pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

test('pictures are added once by number, and their type is detected from their content', () => {
  const book = read(
    page('<img recindex="00002" align="left"><img recindex="2" alt="A dot"/><img recindex="9">'),
    {
      resources: [Buffer.from('SRCS'), gif],
      metadata: [[201, 1]],
    },
  )
  const pictures = [...book.resources.values()].filter(({ mediaType }) => mediaType.startsWith('image/'))
  expect(pictures).toMatchObject([{ href: 'images/0002.gif', mediaType: 'image/gif' }])
  expect(Buffer.from(pictures[0]!.bytes).equals(gif)).toBe(true)
  expect(book.cover).toBe('images/0002.gif')
  expect(documents(book)[0]!.match(/<img/g)).toHaveLength(2)
})

test('missing resources are reported', () => {
  const warnings: unknown[] = []
  readMobi(mobiFile({ text: Buffer.from(page('<img recindex="9">x')) }), warning => warnings.push(warning))
  expect(warnings).toMatchObject([{ key: 'mobi.missing_resources', parameters: { count: 1 } }])
})

test('a contents page is kept, and is used as navigation if there is no other', () => {
  const book = read(
    page(
      '<h1>Cover</h1><mbp:pagebreak/>[toc]<p><a filepos={one}>The  first</a></p><p><a filepos={two}>The second</a></p>' +
        '<mbp:pagebreak/>[one]<p>1</p><mbp:pagebreak/>[two]<p>2</p>',
      '<guide><reference type="toc" title="Contents" filepos={toc}></guide>',
    ),
  )
  expect(book.spine).toHaveLength(4)
  expect(book.navigation).toMatchObject([
    { title: 'The first', href: expect.stringMatching(/^text\/part0003.xhtml#/) },
    { title: 'The second', href: expect.stringMatching(/^text\/part0004.xhtml#/) },
  ])
})

test('a plain text becomes paragraphs', () => {
  const text = Buffer.from('First line & more\r\n\r\nSecond <line>\fThird')
  const book = readMobi(mobiFile({ version: 0, text, title: 'Plain_book' }))
  expect(documents(book).map(document => /<body>(.*)<\/body>/s.exec(document)?.[1]?.trim())).toEqual([
    '<p>First line &amp; more</p>\n<p>Second &lt;line&gt;</p>',
    '<p>Third</p>',
  ])
  expect(book.metadata.title).toBe('Plain book')
})

test('all kinds of metadata are read', () => {
  const { metadata, direction, primaryWritingMode, layout, rendition } = read(page('x'), {
    locale: 2055,
    metadata: [
      [100, 'Zoë Ängström'],
      [100, 'Second, Author'],
      [101, 'Press'],
      [103, 'About <b>it</b>'],
      [104, '978-3-16-148410-0'],
      [105, 'Fiction'],
      [105, 'Sea'],
      [106, '2001-02-03'],
      [108, 'calibre (6.13.0) [https://calibre-ebook.com]'],
      [109, 'All of them'],
      [113, 'B000FA5KX2'],
      [122, 'true'],
      [124, 'landscape'],
      [126, '800x600'],
      [503, 'The Title'],
      [525, 'vertical-rl'],
    ],
  })
  expect(metadata).toMatchObject({
    title: 'The Title',
    authors: [{ name: 'Zoë Ängström' }, { name: 'Second, Author' }],
    contributors: [{ role: 'bkp' }],
    languages: ['de-CH'],
    identifiers: [
      { scheme: 'ISBN', value: 'urn:isbn:9783161484100' },
      { scheme: 'ASIN', value: 'B000FA5KX2' },
    ],
    uniqueIdentifier: 'urn:isbn:9783161484100',
    publisher: 'Press',
    published: '2001-02-03',
    description: 'About <b>it</b>',
    subjects: ['Fiction', 'Sea'],
    rights: 'All of them',
  })
  expect({ direction, primaryWritingMode, layout }).toEqual({
    direction: 'rtl',
    primaryWritingMode: 'vertical-rl',
    layout: 'fixed',
  })
  expect(rendition).toEqual({ orientation: 'landscape', viewport: { width: 800, height: 600 } })
})

test('the same file gives the same book identifier', () => {
  const file = mobiFile({ text: Buffer.from(page('x')) })
  expect(readMobi(file).metadata.uniqueIdentifier).toMatch(/^urn:uuid:/)
  expect(readMobi(file).metadata.uniqueIdentifier).toBe(readMobi(file).metadata.uniqueIdentifier)
})

const long = page(
  `<h1>[top]Title</h1>${'<p align="center">the ship and the sea, <a filepos={top}>back</a> <img recindex="1"></p><mbp:pagebreak/>'.repeat(40)}`,
)

test.each(['none', 'palmdoc', 'huffcdic'] as const)(
  'damaged files of compression %s end in a failure of their own or in a book',
  compression => {
    const file = mobiFile({
      text: withPositions(long),
      compression,
      resources: [gif],
      metadata: [[100, 'A']],
    })
    for (const { bytes } of malformed(file)) {
      const outcome = outcomeOf(bytes)
      expect(outcome).toMatch(
        /^(?:[\da-f]{64}|jobs\.(?:corrupt_input|unsupported_input|encrypted_input|too_large))$/,
      )
    }
  },
)

function outcomeOf(bytes: Buffer): string {
  try {
    return createHash('sha256')
      .update(documents(readMobi(bytes)).join())
      .digest('hex')
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
