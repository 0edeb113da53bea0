import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readEpubs } from '../../../test/books.ts'
import { convertFile } from '../../../test/convert.ts'
import { testFiles } from '../../../test/files.ts'
import { tool } from '../../../test/media.ts'
import { epubOf, page, picture } from '../../../test/sample-books.ts'

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
  test.each(['azw3', 'mobi', 'docx', 'kepub'])('%s', async target => {
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
