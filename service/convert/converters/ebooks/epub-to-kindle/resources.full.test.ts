/** Pictures and fonts in formats that Kindle does not support. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { fullBookFont } from '../../../../../testing/book-kinds.ts'
import { mobitool, readEpubs } from '../../../../../testing/books.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { epubOf, page, picture } from '../../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'

const files = testFiles('kindle-resources')

const vectorGraphic =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><rect width="30" height="20" fill="#0a0"/></svg>'

async function book(): Promise<string> {
  writeFileSync(files.path('mono.ttf'), fullBookFont())
  execFileSync('woff2_compress', [files.path('mono.ttf')], { stdio: 'ignore' })
  const photo = await picture(120, 90, 'png')
  const resources: [string, string, Uint8Array | string][] = [
    ['font.woff2', 'font/woff2', readFileSync(files.path('mono.woff2'))],
    ['opaque.webp', 'image/webp', await sharp(photo).webp().toBuffer()],
    ['clear.webp', 'image/webp', await sharp(photo).ensureAlpha(0.5).webp().toBuffer()],
    ['still.avif', 'image/avif', await sharp(photo).avif().toBuffer()],
    ['vector.svg', 'image/svg+xml', vectorGraphic],
    ['broken.webp', 'image/webp', new Uint8Array(40)],
    ['song.ogg', 'audio/ogg', new Uint8Array(40)],
    [
      'book.css',
      'text/css',
      '@font-face { font-family: M; src: url("font.woff2") format("woff2") } p { font-family: M }',
    ],
  ]
  const items = resources.map(([name, type]) => `<item id="${name}" href="${name}" media-type="${type}"/>`)
  const body = resources
    .filter(([, type]) => type.startsWith('image'))
    .map(([name]) => `<p><img src="${name}" alt="${name}"/></p>`)
  return files.write(
    epubOf({
      'book.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Kinds</dc:title><dc:language>en</dc:language></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>${items.join('')}</manifest><spine><itemref idref="a"/><itemref idref="vector.svg"/><itemref idref="opaque.webp"/></spine></package>`,
      'a.xhtml': page('A', body.join(''), { head: '<link rel="stylesheet" href="book.css"/>' }),
      ...Object.fromEntries(resources.map(([name, , content]) => [name, content])),
    }),
    'epub',
  )
}

let kindsOfFiles: string
beforeAll(async () => {
  kindsOfFiles = await book()
})

/** Everything in a file, as extracted by libmobi. */
async function parts(source: string, job: string, options = {}) {
  const { path, warnings } = await convertFile(job, source, options)
  const folder = mkdtempSync(join(files.folder, 'parts-'))
  mobitool('-s', '-o', folder, path)
  const [dump] = readdirSync(folder)
  return {
    warnings,
    parts: readdirSync(join(folder, dump!)).map(name => readFileSync(join(folder, dump!, name))),
  }
}

const kinds = async (found: readonly Buffer[]) => {
  const pictures = found.filter(part => /^(?:\xff\xd8\xff|\x89PNG|GIF8)/.test(part.toString('latin1', 0, 4)))
  return Promise.all(pictures.map(async part => (await sharp(part).metadata()).format))
}

test('KF8 gets TrueType, JPEG, PNG and SVG', async () => {
  const { parts: found, warnings } = await parts(kindsOfFiles, 'ebook.epub-to-azw3')
  expect(warnings).toEqual([
    expect.stringMatching(/damaged .* "broken\.webp"/),
    expect.stringMatching(/1 file .* song\.ogg/),
  ])
  expect((await kinds(found)).sort()).toEqual(['jpeg', 'jpeg', 'png'])
  const font = found.find(part => part.readUInt32BE(0) === 0x0001_0000)
  // The same outlines and metrics; the tables are in a different order.
  writeFileSync(files.path('out.ttf'), font!)
  expect(execFileSync('ots-sanitize', [files.path('out.ttf')]).length).toBeGreaterThan(0)
  const css = found.map(String).find(part => part.startsWith('@font-face'))
  // libmobi names the font; nothing declares it as WOFF2 any more.
  expect(css).toMatch(/src: url\(resource\d+\.ttf\) }/)
  expect(found.map(String).some(part => part.startsWith('<svg') && part.includes('#0a0'))).toBe(true)
})

test('old readers get JPEG, and vector graphics as pictures', async () => {
  const { parts: found } = await parts(kindsOfFiles, 'ebook.epub-to-mobi', { kf8: false })
  const formats = await kinds(found)
  // The two that were WebP, the AVIF, the SVG.
  expect(formats.length).toBe(4)
  expect(formats.filter(format => format === 'jpeg').length).toBeGreaterThanOrEqual(3)
})

test('recordings with several sources are kept in KF8; old readers show what stands in for them', async () => {
  const video = Buffer.from(`\0\0\0\x18ftypisom\0\0\0\0isommp42${'video'.repeat(100)}`)
  const song = Buffer.from(`ID3\x03\0\0\0\0\0\0${'a song'.repeat(100)}`)
  const item = (name: string, type: string) => `<item id="${name}" href="${name}" media-type="${type}"/>`
  const source = files.write(
    epubOf({
      'book.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Videos</dc:title><dc:language>en</dc:language></metadata><manifest>${item('a.xhtml', 'application/xhtml+xml')}${item('f.webm', 'video/webm')}${item('f.mp4', 'video/mp4')}${item('s.mp3', 'audio/mpeg')}</manifest><spine><itemref idref="a.xhtml"/></spine></package>`,
      'a.xhtml': page(
        'A',
        '<video controls="controls"><source src="f.webm" type="video/webm"/><source src="f.mp4" type="video/mp4"/><p>No video.</p></video><audio controls="controls" src="gone.mp3"><source src="s.mp3" type="audio/mpeg"/></audio><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>.a { fill: red }</style><a href="#x"><text id="x">t</text></a></svg>',
      ),
      'f.webm': 'another video',
      'f.mp4': video,
      's.mp3': song,
    }),
    'epub',
  )
  const dumped = await parts(source, 'ebook.epub-to-azw3')
  for (const media of [video, song]) expect(dumped.parts.some(part => part.includes(media))).toBe(true)
  const { path } = await convertFile('ebook.epub-to-azw3', source)
  const unzipped = unzipSync(readFileSync((await convertFile('ebook.azw3-to-epub', path)).path))
  const [name] = Object.keys(unzipped).filter(each => each.endsWith('part0001.xhtml'))
  const text = strFromU8(unzipped[name!]!)
  expect(text).toMatch(/<video controls="controls" src="[^"]+\.mp4"/)
  expect(text).toMatch(/<audio controls="controls" src="[^"]+\.mp3"/)
  expect(text).toMatch(/<svg[^>]*><style>\.a \{ fill: red \}<\/style>/)
  const old = await convertFile('ebook.epub-to-mobi', source, { kf8: false })
  const folder = mkdtempSync(join(files.folder, 'old-'))
  mobitool('-e', '-o', folder, old.path)
  expect(readEpubs(join(folder, readdirSync(folder)[0]!))[0]!.words.join(' ')).toContain('No video.')
})
