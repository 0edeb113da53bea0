/** Pictures that are no files of the book, or that only Windows draws, reach every other format. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fullBookFont } from '../../../../testing/book-kinds.ts'
import { mobitool } from '../../../../testing/books.ts'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { epubOf, page, picture } from '../../../../testing/fixtures/books.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few } from '../../../../testing/fixtures/full.ts'
import { tool } from '../../../../testing/fixtures/media.ts'

const files = testFiles('normalised-books')

/** A book with a photograph in its text twice, a vector graphic in its text, a Windows bitmap and a picture in JPEG 2000. */
async function book(): Promise<string> {
  const photo = (await picture(60, 40)).toString('base64')
  const vectorGraphic = encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="#0a0"/></svg>',
  )
  writeFileSync(files.path('photo.png'), await picture(50, 30, 'png'))
  tool('convert', files.path('photo.png'), files.path('photo.bmp'))
  tool('convert', files.path('photo.png'), '-resize', '70x20!', files.path('photo.jp2'))
  const addresses = [
    `data:image/jpeg;base64,${photo}`,
    `DATA:image/jpeg;base64,${photo.replace(/(.{60})/g, '$1\n').replaceAll('+', '%2B')}`,
    `data:image/svg+xml;charset=utf-8,${vectorGraphic}`,
    'photo.bmp',
    'photo.jp2',
  ]
  const body = addresses.map((address, index) => `<p>Picture ${index}<img src="${address}" alt=""/></p>`)
  return files.write(
    epubOf({
      'book.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Some book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="bmp" href="text/photo.bmp" media-type="image/bmp"/><item id="jp2" href="text/photo.jp2" media-type="image/jp2"/></manifest><spine><itemref idref="one"/></spine></package>`,
      'text/one.xhtml': page('One', body.join('')),
      'text/photo.bmp': readFileSync(files.path('photo.bmp')),
      'text/photo.jp2': readFileSync(files.path('photo.jp2')),
    }),
    'epub',
  )
}

/** The formats and sizes of the pictures among files. */
async function pictures(found: readonly Uint8Array[]): Promise<string[]> {
  const known = await Promise.all(
    found.map(async bytes => {
      const { format, width, height } = await sharp(bytes)
        .metadata()
        .catch(() => ({ format: '' }) as never)
      return format ? `${format} ${width}×${height}` : ''
    }),
  )
  return known.filter(text => text !== '').sort()
}

describe('pictures in the text, and those that browsers do not show', () => {
  test.each(
    few(1, [
      ['azw3', ['jpeg 60×40', 'png 50×30', 'png 70×20', 'svg 30×20']],
      ['mobi', ['jpeg 60×40', 'png 50×30', 'png 60×40', 'png 70×20']],
    ]),
  )('%s', async (target, expected) => {
    const { path, warnings } = await convertFile(`ebook.epub-to-${target}`, await book())
    expect(warnings).toEqual([])
    const folder = mkdtempSync(join(files.folder, 'parts-'))
    mobitool('-s', '-o', folder, path)
    const dump = join(folder, readdirSync(folder)[0]!)
    const found = await pictures(readdirSync(dump).map(name => readFileSync(join(dump, name))))
    expect(found).toEqual(expect.arrayContaining([...expected]))
    // Of each, one: the photograph is shown twice and stored once.
    expect(found.filter(text => text === 'jpeg 60×40')).toHaveLength(1)
  })

  testFull('docx', async () => {
    const { path, warnings } = await convertFile('ebook.epub-to-docx', await book())
    expect(warnings).toEqual([])
    const entries = Object.entries(unzipSync(readFileSync(path)))
    const found = await pictures(entries.filter(([name]) => /media\//.test(name)).map(([, bytes]) => bytes))
    expect(found).toEqual(['jpeg 60×40', 'png 50×30', 'png 60×40', 'png 70×20', 'svg 30×20'])
    expect(tool('pandoc', '-f', 'docx', '-t', 'html', path).match(/<img/g)).toHaveLength(5)
  })
})

describe('pictures and fonts written into styles', () => {
  const styled = async () => {
    const photo = (await picture(60, 40)).toString('base64')
    const drawn = (await picture(50, 30, 'png')).toString('base64')
    const font = Buffer.from(fullBookFont()).toString('base64')
    const sheet = `@font-face { font-family: Own; src: url("data:font/ttf;base64,${font}") format("truetype") }
      p { background: url(data:image/jpeg;base64,${photo}) }`
    const body = `<p style="list-style-image: url('data:image/png;base64,${drawn}')">One</p>`
    return files.write(
      epubOf({
        'book.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>Some book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/><item id="css" href="styles/own.css" media-type="text/css"/></manifest><spine><itemref idref="one"/></spine></package>`,
        'text/one.xhtml': page('One', body, {
          head: '<link rel="stylesheet" type="text/css" href="../styles/own.css"/>',
        }),
        'styles/own.css': sheet,
      }),
      'epub',
    )
  }

  testFull('azw3, and back', async () => {
    const { path, warnings } = await convertFile('ebook.epub-to-azw3', await styled())
    expect(warnings).toEqual([])
    const { path: epub } = await convertFile('ebook.azw3-to-epub', path)
    const parts = Object.entries(unzipSync(readFileSync(epub)))
    const kept = await pictures(parts.filter(([name]) => /images\//.test(name)).map(([, bytes]) => bytes))
    expect(kept).toEqual(['jpeg 60×40', 'png 50×30'])
    const font = parts.find(([name]) => /\.[ot]tf$/.test(name))?.[1]
    expect(font && Buffer.from(font).equals(fullBookFont())).toBe(true)
    const text = parts
      .filter(([name]) => /\.(css|xhtml)$/.test(name))
      .map(([, bytes]) => Buffer.from(bytes).toString())
    expect(text.join().match(/url\((?!["']?data:)/g)).toHaveLength(3)
  })

  test('kepub keeps them as they are', async () => {
    const { path, warnings } = await convertFile('ebook.epub-to-kepub', await styled())
    expect(warnings).toEqual([])
    const sheet = Object.entries(unzipSync(readFileSync(path))).find(([name]) =>
      name.endsWith('own.css'),
    )?.[1]
    expect(
      Buffer.from(sheet ?? [])
        .toString()
        .match(/url\("?data:/g),
    ).toHaveLength(2)
  })
})
