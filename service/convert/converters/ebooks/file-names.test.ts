/** Books whose files have names with characters that links must encode, or spelled differently in links. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { checkEpubs, type EpubContent, mobitool, newErrors, readEpubs } from '../../../../testing/books.ts'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { type BookFiles, epubOf, page, picture } from '../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { isFull } from '../../../../testing/fixtures/full.ts'

const files = testFiles('file-names')

/** Characters with a meaning in URLs, and those that URLs do not have. */
const NAMES = ['a#1', 'b?x=1&y', '100%', 'c%23d', 'two words', 'é日本', "[q]'(r)", 'p+q=r;s', 'x:y']

/** Names are in NFD in the archive, as macOS writes them; links are in NFC, as typed. */
async function book(): Promise<Uint8Array> {
  const url = (name: string) => encodeURIComponent(name).replaceAll("'", '%27')
  const files: BookFiles = {}
  const add = (name: string, content: string | Uint8Array) => {
    files[`EPUB/${name.normalize('NFD')}`] = content
  }
  const links = NAMES.map(
    (name, at) => `<li><a href="${url(name)}%20%23/${url(name)}.xhtml#%23${at}">To ${at}</a></li>`,
  )
  const items = NAMES.map((name, at) => {
    const path = `${url(name)}%20%23/${url(name)}`
    return `<item id="t${at}" href="${path}.xhtml" media-type="application/xhtml+xml"/><item id="p${at}" href="${path}.png" media-type="image/png"/><item id="s${at}" href="${path}.css" media-type="text/css"/>`
  })
  add(
    'book.opf',
    `<?xml version="1.0" encoding="UTF-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:6f1c2c52-7d1a-4d8e-9a0c-0c9a1b2c3d4e</dc:identifier><dc:title>Names</dc:title><dc:language>en</dc:language><meta property="dcterms:modified">2022-01-02T03:04:05Z</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.join('')}</manifest><spine>${NAMES.map((_, at) => `<itemref idref="t${at}"/>`).join('')}</spine></package>`,
  )
  add('nav.xhtml', page('Contents', `<nav epub:type="toc"><ol>${links.join('')}</ol></nav>`))
  for (const [at, name] of NAMES.entries()) {
    const next = NAMES[(at + 1) % NAMES.length]!
    const to = `../${url(next)}%20%23/${url(next)}.xhtml`
    const folder = `${name} #`
    add(
      `${folder}/${name}.xhtml`,
      page(
        `Chapter ${at}`,
        `<p>Chapter ${at} begins.</p><p id="#${at}">Here is place ${at} of <a href="${to}">the next</a>, <a href="${to}#%23${(at + 1) % NAMES.length}">its place</a>.</p><p><img src="${url(name)}.png" alt=""/></p>`,
        { head: `<link rel="stylesheet" href="${url(name)}.css"/>` },
      ),
    )
    add(`${folder}/${name}.png`, await picture(20 + at, 20, 'png'))
    add(
      `${folder}/${name}.css`,
      `body { background-image: url("${url(name)}.png") } p { margin-top: ${at}px }`,
    )
  }
  return epubOf(files)
}

let source = ''
/** The book as kepub, and as read from Kindle files by libmobi and by the service. */
const paths: Record<string, string> = {}
let original: EpubContent
const read: Record<string, EpubContent> = {}
let reports: Map<string, string[]>

beforeAll(async () => {
  source = files.write(await book(), 'epub')
  paths.kepub = (await convertFile('ebook.epub-to-kepub', source)).path
  for (const [target, options] of [
    ['azw3', {}],
    ['mobi', { kf8: false }],
  ] as const) {
    const { path, warnings } = await convertFile(`ebook.epub-to-${target}`, source, options)
    expect(warnings).toEqual([])
    const folder = files.path(target)
    mkdirSync(folder)
    mobitool('-e', '-o', folder, path)
    paths[`${target} by libmobi`] = join(folder, readdirSync(folder)[0]!)
    paths[target] = (await convertFile(`ebook.${target}-to-epub`, path)).path
  }
  if (isFull) reports = await checkEpubs(source, paths.kepub, paths.azw3!, paths.mobi!)
  const [first, ...others] = readEpubs(source, ...Object.values(paths))
  original = first!
  for (const [index, name] of Object.keys(paths).entries()) read[name] = others[index]!
}, 120_000)

const chapterLinks = ({ links }: EpubContent) =>
  links
    .filter(({ from, text }) => !from.includes('nav') && /^(?:Chapter|Hereis)/.test(text ?? ''))
    .map(({ text }) => text)

test.each(['azw3 by libmobi', 'azw3', 'mobi by libmobi', 'mobi'])(
  '%s: every link, entry and picture arrives',
  name => {
    const { contents, broken, missing, items } = read[name]!
    const places = NAMES.map((_, at) => [0, `To ${at}`, expect.stringMatching(`^Hereisplace${at}of`)])
    expect(contents).toEqual(places)
    expect(chapterLinks(read[name]!).slice(0, NAMES.length * 2)).toEqual(
      NAMES.flatMap((_, at) => {
        const next = (at + 1) % NAMES.length
        return [
          expect.stringMatching(`^Chapter${next}begins`),
          expect.stringMatching(`^Hereisplace${next}of`),
        ]
      }),
    )
    expect([...broken, ...missing]).toEqual([])
    expect(items.filter(({ type }) => type.startsWith('image/')).length).toBeGreaterThanOrEqual(NAMES.length)
  },
)

testFull('EPUBCheck finds no new errors', () => {
  for (const name of ['kepub', 'azw3', 'mobi'])
    expect(newErrors(reports.get(source), reports.get(paths[name]!)), name).toEqual([])
})

test('the kepub refers to its files as the book does', () => {
  const { spine, links, contents } = read.kepub!
  expect({ spine, links, contents }).toEqual({
    spine: original.spine,
    links: original.links,
    contents: original.contents,
  })
})

test('links in Word lead to bookmarks', async () => {
  const { path, warnings } = await convertFile('ebook.epub-to-docx', source)
  expect(warnings).toEqual([])
  const xml = strFromU8(unzipSync(readFileSync(path))['word/document.xml']!)
  const places = new Set([...xml.matchAll(/<w:bookmarkStart [^>]*w:name="([^"]+)"/g)].map(([, name]) => name))
  const anchors = [...xml.matchAll(/ w:anchor="([^"]+)"/g)].map(([, name]) => name)
  expect(anchors).toHaveLength(NAMES.length * 3)
  expect(anchors.filter(name => !places.has(name))).toEqual([])
  expect(xml.match(/<w:drawing>/g)).toHaveLength(NAMES.length)
})
