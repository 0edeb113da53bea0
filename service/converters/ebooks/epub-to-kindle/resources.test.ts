/** Pictures and fonts in formats that Kindle does not support. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { mobitool } from '../../../test/books.ts'
import { convertFile } from '../../../test/convert.ts'
import { testFiles } from '../../../test/files.ts'
import { epubOf, fullBookFont, page, picture } from '../../../test/sample-books.ts'

const files = testFiles('kindle-resources')

const drawing =
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
    ['drawing.svg', 'image/svg+xml', drawing],
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
      'book.opf': `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Kinds</dc:title><dc:language>en</dc:language></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>${items.join('')}</manifest><spine><itemref idref="a"/><itemref idref="drawing.svg"/><itemref idref="opaque.webp"/></spine></package>`,
      'a.xhtml': page('A', body.join(''), { head: '<link rel="stylesheet" href="book.css"/>' }),
      ...Object.fromEntries(resources.map(([name, , content]) => [name, content])),
    }),
    'epub',
  )
}

/** Everything in a file, as extracted by libmobi. */
async function parts(source: string, job: string, options = {}) {
  const { path, warnings } = await convertFile(job, source, options)
  const folder = join(files.folder, `${job}-${Object.keys(options).join()}`)
  mkdirSync(folder)
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
  const { parts: found, warnings } = await parts(await book(), 'ebook.epub-to-azw3')
  expect(warnings).toEqual([expect.stringMatching(/2 files .* broken\.webp/)])
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

test('old readers get JPEG, and drawings as pictures', async () => {
  const { parts: found } = await parts(await book(), 'ebook.epub-to-mobi', { kf8: false })
  const formats = await kinds(found)
  // The two that were WebP, the AVIF, the drawing.
  expect(formats.length).toBe(4)
  expect(formats.filter(format => format === 'jpeg').length).toBeGreaterThanOrEqual(3)
})
