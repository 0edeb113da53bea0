import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readEpubs } from '../../../../testing/books.ts'
import { testFiles } from '../../../../testing/files.ts'
import { epubOf, page, picture } from '../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'

const files = testFiles('damaged-books')

const opf = `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Some book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/><item id="good" href="good.jpg" media-type="image/jpeg"/><item id="bad" href="bad.png" media-type="image/png"/></manifest><spine><itemref idref="one"/></spine></package>`

/** A book in which one file, stored uncompressed, has a changed byte, so that its checksum is wrong. */
async function damagedBook(damaged: 'bad.png' | 'one.xhtml'): Promise<string> {
  const [good, bad] = [await picture(60, 40), await picture(64, 48, 'png')]
  const text = page('One', '<p>Before</p><img src="good.jpg" alt=""/><img src="bad.png" alt=""/><p>After</p>')
  const bytes = epubOf({ 'book.opf': opf, 'one.xhtml': text, 'good.jpg': good, 'bad.png': bad })
  const path = files.write(bytes, 'epub')
  const script = `
import sys, zipfile
path, name = sys.argv[1:]
with zipfile.ZipFile(path) as z: info = z.getinfo(name)
with open(path, 'r+b') as f:
    f.seek(info.header_offset + 30 + len(name) + info.compress_size // 2)
    byte = f.read(1)[0]; f.seek(-1, 1); f.write(bytes([byte ^ 0xff]))`
  tool('/usr/bin/python3', '-c', script, path, damaged)
  return path
}

describe('a damaged picture costs the picture, not the book', () => {
  test.each(kinds(['azw3', 'mobi', 'docx', 'kepub'], target => target === 'kepub'))('%s', async target => {
    const { path, warnings } = await convertFile(`ebook.epub-to-${target}`, await damagedBook('bad.png'))
    expect(warnings).toContainEqual(expect.stringMatching(/damaged .* left out, the first "bad.png"/))
    if (target === 'kepub') {
      expect(tool('unzip', '-tq', path)).toContain('No errors')
      expect(Object.keys(unzipSync(readFileSync(path)))).toContain('good.jpg')
      expect(readEpubs(path)[0]!.words).toEqual(['Before', 'After'])
    }
    if (target === 'docx') {
      expect(tool('pandoc', '-f', 'docx', '-t', 'plain', path)).toMatch(/Before.*After/s)
      expect(Object.keys(unzipSync(readFileSync(path))).filter(name => /media\//.test(name))).toHaveLength(1)
    }
  })

  test('a damaged chapter is an error', async () => {
    await expect(convertFile('ebook.epub-to-azw3', await damagedBook('one.xhtml'))).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
  })
})

/** What is packed as a picture by mistake or after an accident. */
const broken: Record<string, (good: Buffer) => Buffer> = {
  'an error page': () => Buffer.from('<html><body>404 Not Found</body></html>'),
  zeros: good => Buffer.alloc(good.length),
  'its header only': good => good.subarray(0, good.indexOf(Buffer.from('ffda', 'hex')) + 14),
  'no tables': good => {
    const bytes = Buffer.from(good)
    for (let at = 2; bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2))
      if (bytes[at + 1] === 0xdb || bytes[at + 1] === 0xc4) bytes[at + 1] = 0xee
    return bytes
  },
}

describe('a picture that was broken before it was packed is left out', () => {
  const book = async (bad: Buffer) => {
    const text = page(
      'One',
      '<p>Before</p><img src="good.jpg" alt=""/><img src="bad.jpg" alt=""/><p>After</p>',
    )
    const content = {
      'book.opf': opf.replace('bad.png" media-type="image/png', 'bad.jpg" media-type="image/jpeg'),
    }
    return { ...content, 'one.xhtml': text, 'good.jpg': await picture(60, 40), 'bad.jpg': bad }
  }
  const packed = async (kind: string) => book(broken[kind]!(await picture(64, 48)))

  test.each(Object.keys(broken))('%s', async kind => {
    const path = files.write(epubOf(await packed(kind)), 'epub')
    const { path: kepub, warnings } = await convertFile('ebook.epub-to-kepub', path)
    expect(warnings).toEqual([expect.stringMatching(/damaged .* left out, the first "bad.jpg"/)])
    const names = Object.keys(unzipSync(readFileSync(kepub)))
    expect(names).toContain('good.jpg')
    expect(names).not.toContain('bad.jpg')
  })

  test.each(['azw3', 'mobi', 'docx'])('from %s', async target => {
    const path = files.write(epubOf(await packed('zeros')), 'epub')
    const { warnings } = await convertFile(`ebook.epub-to-${target}`, path)
    expect(warnings).toContainEqual(expect.stringMatching(/damaged .* left out, the first "bad.jpg"/))
  })

  test('one that is damaged further down stays, as readers show the rest', async () => {
    const good = await picture(600, 400)
    const path = files.write(epubOf(await book(good.subarray(0, good.length / 2))), 'epub')
    const { path: kepub, warnings } = await convertFile('ebook.epub-to-kepub', path)
    expect(warnings).toEqual([])
    expect(Object.keys(unzipSync(readFileSync(kepub)))).toContain('bad.jpg')
  })

  test.each(few(1, ['azw3', 'mobi']))('%s', async format => {
    // Kindle files hold pictures by their first bytes, so that is all that is left of this one.
    const good = await picture(64, 48)
    const whole = files.write(epubOf(await book(good)), 'epub')
    const { path } = await convertFile(`ebook.epub-to-${format}`, whole)
    const bytes = readFileSync(path)
    for (
      let at = bytes.indexOf(good.subarray(0, 200));
      at >= 0;
      at = bytes.indexOf(good.subarray(0, 200), at + 1)
    )
      bytes.fill(0, at + 4, at + good.length)
    const { path: epub, warnings } = await convertFile(`ebook.${format}-to-epub`, files.write(bytes, format))
    expect(warnings).toEqual([expect.stringContaining('its place is empty')])
    expect(readEpubs(epub)[0]).toMatchObject({ broken: [], missing: [] })
  })
})
