import { readFileSync, statSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { type Converted, converterOf, convertFile, inputOf } from '../../../../../testing/fixtures/convert.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { gradient, psnr, seeded } from '../../../../../testing/fixtures/pixels.ts'
import { makePdf, onePagePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'
import { withDefaults } from '../../../catalogue/options.ts'

const files = testFiles('pdf-tools')
const source = files.path('pages.pdf')
const words = ['alpha', 'bravo', 'charlie', 'delta']

/** Four pages with bookmarks, links between them, a field each, tags, and a photo on the first and the last. */
beforeAll(async () => {
  const random = seeded(3)
  const { data } = gradient(400, 300)
  const noisy = Uint8Array.from(data, value => Math.max(0, Math.min(255, value + random(9) - 4)))
  const photo = sharp(noisy, { raw: { width: 400, height: 300, channels: 3 } })
  const [jpeg, png] = [await photo.jpeg({ quality: 97 }).toBuffer(), await photo.png().toBuffer()]
  await makePdf(
    source,
    document => {
      document.initForm()
      for (const [index, word] of words.entries()) {
        if (index > 0) document.addPage()
        const { outline } = document
        outline.addItem(`Chapter ${word}`)
        const tag = document.struct('P', { actual: `tag ${word}` }, () =>
          document.fontSize(30).text(`Page ${word}`),
        )
        document.addStructure(tag)
        document.addNamedDestination(`dest ${word}`)
        document.goTo(72, 300, 90, 20, `dest ${words[(index + 1) % 4]}`)
        document.formText(`field-${word}`, 72, 350, 200, 20, { value: `value ${word}` })
        if (index === 0) document.image(jpeg, 72, 420, { width: 150 })
        if (index === 3) document.image(png, 72, 420, { width: 150 })
      }
    },
    { tagged: true, size: 'A5', compress: true },
  )
})

const results = new Map<string, Promise<Converted>>()
/** Several tests look at the same result. */
const edit = (options: Record<string, unknown>, path = source) => {
  const key = JSON.stringify([options, path])
  const result = results.get(key) ?? convertFile('document.pdf-to-pdf', path, options)
  results.set(key, result)
  return result
}
const only = { compression: 'none' }

const checked = (path: string, ...password: string[]) => {
  expect(judge('qpdf', '--check', ...password, path)).toMatchObject({ status: 0 })
  return path
}
const textOf = (path: string, ...more: string[]) => tool('pdftotext', ...more, path, '-')
const pageTexts = (path: string) =>
  textOf(path)
    .split('\f')
    .slice(0, -1)
    .map(page => /Page (\w+)/.exec(page)?.[1])
/** A page as poppler draws it. */
const drawn = (path: string, page: number, ...more: string[]) => {
  const args = ['-png', '-r', '72', '-f', String(page), '-l', String(page), '-singlefile', ...more]
  tool('pdftoppm', ...args, path, files.path('page'))
  return decode(files.path('page.png'))
}
const sameAs = (path: string, page: number, other: string, otherPage: number) =>
  psnr(onWhite(drawn(path, page)), onWhite(drawn(other, otherPage)))
/** The words that occur anywhere in the objects of a file, as text or as hexadecimal digits of it. */
const wordsIn = (path: string) => {
  tool('qpdf', '--qdf', '--object-streams=disable', path, files.path('plain.pdf'))
  const plain = readFileSync(files.path('plain.pdf'), 'latin1')
  const wide = (word: string) => [...word].map(letter => `\0${letter}`).join('')
  return words.filter(word => plain.includes(word) || plain.includes(wide(word)))
}
const json = (path: string) =>
  JSON.parse(tool('qpdf', '--json', path)) as {
    outlines: { title: string }[]
    acroform: { fields: { fullname: string }[] }
  }

describe('pages', () => {
  test('stay in the chosen order, each as it was, and nothing of the others is left', async () => {
    const { path, warnings } = await edit({ ...only, pages: '3,1-2' })
    checked(path)
    expect(warnings).toEqual([])
    expect(pageTexts(path)).toEqual(['charlie', 'alpha', 'bravo'])
    for (const [index, page] of [3, 1, 2].entries())
      expect(sameAs(path, index + 1, source, page)).toBe(Number.POSITIVE_INFINITY)
    const { outlines, acroform } = json(path)
    expect(outlines.map(({ title }) => title)).toEqual(
      ['alpha', 'bravo', 'charlie'].map(word => `Chapter ${word}`),
    )
    expect(acroform.fields.map(({ fullname }) => fullname)).toHaveLength(3)
    expect(tool('pdfinfo', path)).toMatch(/Tagged:\s+yes/)
    expect(tool('pdfinfo', '-struct-text', path)).toContain('alpha')
    expect(wordsIn(source)).toEqual(words)
    expect(wordsIn(path)).toEqual(['alpha', 'bravo', 'charlie'])
    expect(statSync(path).size).toBeLessThan(statSync(source).size * 0.6)
  })

  test('are left out, turned and numbered', async () => {
    const { path } = await edit({
      ...only,
      leaveOut: '2',
      rotate: 'right',
      rotatePages: '3-',
      pageNumbers: 'centre',
    })
    checked(path)
    expect(pageTexts(path)).toEqual(['alpha', 'charlie', 'delta'])
    expect(
      tool('pdfinfo', '-f', '1', '-l', '3', path)
        .match(/Page +\d rot: +(\d+)/g)
        ?.map(line => line.slice(-2).trim()),
    ).toEqual(['0', '90', '90'])
    for (const [page, height] of [
      [1, 595],
      [2, 420],
    ] as const) {
      const foot = ['-x', '150', '-y', String(height - 45), '-W', '300', '-H', '40']
      expect(textOf(path, '-f', String(page), '-l', String(page), ...foot).trim()).toBe(String(page))
    }
  })

  test('become files of their own, by page or by range', async () => {
    const each = await edit({ ...only, split: 'pages', pages: '3-' })
    expect(each.outputs.map(({ name }) => name)).toEqual(['pages-3.pdf', 'pages-4.pdf'])
    expect(each.outputs.map(({ path }) => pageTexts(checked(path)))).toEqual([['charlie'], ['delta']])
    expect(wordsIn(each.outputs[0]!.path)).toEqual(['charlie'])
    const ranges = await edit({ ...only, split: 'ranges', pages: '4-3, 1' })
    expect(ranges.outputs.map(({ path, name }) => [name, pageTexts(path)])).toEqual([
      ['pages-4-3.pdf', ['delta', 'charlie']],
      ['pages-1.pdf', ['alpha']],
    ])
  })

  test('become files of their own by bookmark', async () => {
    const { outputs } = await edit({ ...only, split: 'bookmarks', leaveOut: '2-3' })
    expect(outputs.map(({ path, name }) => [name, pageTexts(checked(path))])).toEqual([
      ['pages-1 Chapter alpha.pdf', ['alpha']],
      ['pages-4 Chapter delta.pdf', ['delta']],
    ])
    expect(wordsIn(outputs[1]!.path)).toEqual(['delta'])
    const path = files.write(onePagePdf('0 0 9 9 re f'), 'pdf')
    await expect(edit({ split: 'bookmarks' }, path)).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })

  test('that do not exist cannot be chosen', async () => {
    for (const options of [{ pages: '9' }, { pages: '5-' }, { leaveOut: '1-' }])
      await expect(edit(options)).rejects.toMatchObject({ code: 'jobs.unsupported_input' })
  })
})

describe('a stamp', () => {
  const stamped = (place: string, more: Record<string, unknown> = {}) =>
    edit({ ...only, stamp: { text: 'ENTWURF', place, ...more } })

  /** Numbers of the rows of an A5 page that look different. */
  const changedRows = (path: string, page: number) => {
    const [before, after] = [source, path].map(each => Buffer.from(onWhite(drawn(each, page))))
    const row = after!.length / 595
    const rows = Array.from({ length: 595 }, (_, y) => [y * row, (y + 1) * row] as const)
    return rows.flatMap(([from, to], y) =>
      after!.subarray(from, to).equals(before!.subarray(from, to)) ? [] : [y],
    )
  }

  const places: [place: string, third: number][] = [
    ['top-left', 0],
    ['centre', 1],
    ['bottom-right', 2],
  ]

  test.each(places)('is written where it belongs: %s', async (place, third) => {
    const { path, warnings } = await stamped(place, { size: 30, opacity: 40, pages: '2-3' })
    expect(warnings).toEqual([])
    expect(changedRows(checked(path), 1)).toEqual([])
    const rows = changedRows(path, 2)
    expect(Math.floor((rows[0]! + rows.at(-1)!) / 2 / (595 / 3))).toBe(third)
    expect(rows.length).toBeLessThan(30)
    expect(textOf(path, '-f', '2', '-l', '2')).toContain('ENTWURF')
  })

  test('fits the page from corner to corner, in any letters, as faint as wished', async () => {
    const turned = { ...only, rotate: 'right' }
    const { path } = await edit({ ...turned, stamp: { text: 'Черновик 草稿', size: 400, opacity: 10 } })
    const text = textOf(checked(path), '-f', '3', '-l', '3')
    expect(text).toMatch(/草/)
    const data = onWhite(drawn(path, 3))
    const plain = onWhite(drawn((await edit(turned)).path, 3))
    const darker = Array.from(data).flatMap((value, at) => (value < plain[at]! ? plain[at]! - value : []))
    expect(darker.length).toBeGreaterThan(data.length / 100)
    expect(Math.max(...darker)).toBeLessThanOrEqual(26)
  })
})

test('files of at most a size hold all pages, as many as fit', async () => {
  const { outputs, warnings } = await edit({ ...only, split: 'size', partSize: 0.03 })
  expect(outputs.map(({ name }) => name)).toEqual(['pages-1.pdf', 'pages-2.pdf', 'pages-3.pdf'])
  expect(outputs.map(({ path }) => pageTexts(checked(path)))).toEqual([
    ['alpha'],
    ['bravo', 'charlie'],
    ['delta'],
  ])
  expect(statSync(outputs[1]!.path).size).toBeLessThanOrEqual(30_000)
  expect(warnings).toEqual([expect.stringMatching(/larger than 0.03 MB.*: 1, 4\.$/)])
})

test('files of at most a larger size hold pages with pictures', async () => {
  const each = await edit({ ...only, split: 'pages' })
  const largest = Math.max(...each.outputs.map(({ path }) => statSync(path).size))
  const partSize = (largest + 20_000) / 1e6
  const { outputs, warnings } = await edit({ ...only, split: 'size', partSize })
  expect(outputs.flatMap(({ path }) => pageTexts(checked(path)))).toEqual(words)
  expect(outputs.length).toBeLessThan(4)
  expect(warnings).toEqual([])
})

test('pages that become pictures are split by the bookmarks that they had', async () => {
  const { outputs } = await edit({ ...only, split: 'bookmarks', rebuild: true, pages: '1-2' })
  expect(outputs.map(({ name }) => name)).toEqual(['pages-1 Chapter alpha.pdf', 'pages-2 Chapter bravo.pdf'])
  expect(outputs.map(({ path }) => pageTexts(checked(path)))).toEqual([['alpha'], ['bravo']])
})

test('a protected PDF becomes nothing else without telling', async () => {
  const { path } = await edit({ ...only, newPassword: 'geheim ü' })
  const jobs = [
    ...['document.pdf-to-jpg', 'document.pdf-to-txt', 'document.pdf-to-pdfa'],
    ...['ebook.pdf-to-epub', 'ebook.pdf-to-cbz'],
  ]
  for (const job of jobs) {
    const { warnings } = await convertFile(job, path, { password: 'geheim ü' })
    expect(warnings.filter(text => text.includes('everyone can open it'))).toHaveLength(1)
  }
  // The word alone is no protection.
  const open = files.write(onePagePdf('BT /F 9 Tf 9 9 Td (a /Encrypt key) Tj ET'), 'pdf')
  for (const job of ['document.pdf-to-pdf', 'document.pdf-to-jpg'])
    expect((await convertFile(job, open)).warnings.join()).not.toMatch(/protect/)
  expect((await convertFile('document.pdf-to-txt', source)).warnings).toEqual([])
})

test('a preview shows the first page of the result, without its new password', async () => {
  const { part, options } = converterOf('document.pdf-to-pdf')
  const given = withDefaults(options, { pages: '4,1-3', leaveOut: '4', split: 'pages', newPassword: 'x' })
  const chosen = await (await part!()).partOf(await inputOf(source, 'pdf'), given)
  expect([chosen.page, chosen.isPart, chosen.whole(10)]).toEqual([0, true, 30])
  const { path, outputs } = await edit(chosen.options)
  expect([pageTexts(checked(path)), outputs.length]).toEqual([['alpha'], 1])
})

test('a protected file opens with its password only, and without one once it is unlocked', async () => {
  const { path } = await edit({ ...only, newPassword: 'geheim ü' })
  expect(judge('qpdf', '--check', path).status).toBe(2)
  expect(judge('pdfinfo', path).status).not.toBe(0)
  expect(checked(path, '--password=geheim ü')).toBe(path)
  expect(tool('pdfinfo', '-upw', 'geheim ü', path)).toMatch(/Encrypted:\s+yes.*AES-256/)
  for (const [password, code] of [
    [undefined, 'jobs.encrypted_input'],
    ['wrong', 'jobs.encrypted_input'],
  ])
    await expect(edit({ ...only, ...(password && { password }) }, path)).rejects.toMatchObject({ code })
  const { path: unlocked, warnings } = await edit({ ...only, password: 'geheim ü' }, path)
  expect(warnings).toEqual([expect.stringContaining('protected or restricted')])
  expect(tool('pdfinfo', checked(unlocked))).toMatch(/Encrypted:\s+no/)
  for (const page of [1, 4]) expect(sameAs(unlocked, page, source, page)).toBe(Number.POSITIVE_INFINITY)
})

describe('compression', () => {
  test('makes pictures smaller and keeps everything else', async () => {
    const sizes = [statSync(source).size]
    for (const [compression, likeness] of [
      ['best', 38],
      ['balanced', 33],
      ['small', 29],
    ] as const) {
      const { path, warnings } = await edit({ compression })
      expect(warnings).toEqual([])
      sizes.push(statSync(checked(path)).size)
      expect(sizes.at(-1)).toBeLessThan(sizes.at(-2)! * 0.8)
      expect(textOf(path)).toBe(textOf(source))
      for (const page of [1, 4]) expect(sameAs(path, page, source, page)).toBeGreaterThan(likeness)
      expect(sameAs(path, 2, source, 2)).toBe(Number.POSITIVE_INFINITY)
      expect(json(path).outlines).toHaveLength(4)
      expect(json(path).acroform.fields).toHaveLength(4)
      expect(tool('pdfinfo', '-struct-text', path)).toBe(tool('pdfinfo', '-struct-text', source))
    }
  })

  test('drops what programs keep for themselves, but not with none', async () => {
    const random = seeded(5)
    const noise = Buffer.from(Array.from({ length: 3000 }, () => random(256)))
    const own = '/MediaBox [0 0 200 100] /PieceInfo << /Drawing << /Private 5 0 R >> >> /Thumb 5 0 R'
    const path = files.write(onePagePdf('0 0 50 50 re f', own, [pdfStream('', noise.toString('hex'))]), 'pdf')
    expect(statSync((await edit(only, path)).path).size).toBeGreaterThan(3000)
    const { path: small } = await edit({ compression: 'best' }, path)
    expect(statSync(checked(small)).size).toBeLessThan(1500)
    expect(sameAs(small, 1, path, 1)).toBe(Number.POSITIVE_INFINITY)
  })

  test('leaves a file alone that does not become smaller', async () => {
    const { path: small } = await edit({ compression: 'small' })
    const { path, warnings } = await edit({ compression: 'small' }, small)
    expect(readFileSync(path)).toEqual(readFileSync(small))
    expect(warnings).toHaveLength(1)
  })
})

describe('a file of at most a size', () => {
  const bytesOf = (path: string) => statSync(checked(path)).size

  test('keeps as much of its pictures as fits, and all of its text', async () => {
    const { path: balanced } = await edit({ compression: 'balanced' })
    const targetSize = Math.ceil(bytesOf(balanced) / 1000)
    const { path, warnings } = await edit({ targetSize })
    expect(warnings).toEqual([])
    expect(bytesOf(path)).toBeLessThanOrEqual(targetSize * 1000)
    expect(sameAs(path, 1, balanced, 1)).toBe(Number.POSITIVE_INFINITY)
    expect(textOf(path)).toBe(textOf(source))
  })

  test('is as good as without one, if all of it fits', async () => {
    const { path: whole } = await edit({ targetSize: 10_000 })
    const { path: best } = await edit({})
    expect(bytesOf(whole)).toBe(bytesOf(best))
  })

  test('is the smallest there is, with a warning, if that is not enough', async () => {
    const { path, warnings } = await edit({ targetSize: 1 })
    const { path: small } = await edit({ compression: 'small' })
    expect(bytesOf(path)).toBeLessThan(bytesOf(small) * 0.9)
    expect(warnings).toEqual([expect.stringContaining('1 KB were asked for')])
    expect(textOf(path)).toBe(textOf(source))
  })
})

test('a damaged file gives what is left of it, or fails as damaged', async () => {
  const whole = readFileSync(source)
  const { path, warnings } = await edit(
    { pages: '1' },
    files.write(whole.subarray(0, whole.length - 2000), 'pdf'),
  )
  checked(path)
  expect(pageTexts(path)).toEqual(['alpha'])
  expect(warnings[0]).toContain('damaged')
  for (const bytes of [Buffer.from('%PDF-1.7\nnothing'), onePagePdf('').subarray(0, 40)])
    await expect(edit({}, files.write(bytes, 'pdf'))).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test.each(['3 0 R', '20000'])('a page whose parent is %s is edited like others', async parent => {
  const font = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const source = onePagePdf('BT /F 9 Tf 9 9 Td (word) Tj ET', `/MediaBox [0 0 200 100] ${font}`)
  const path = files.write(
    Buffer.from(source.toString('latin1').replace('/Parent 2 0 R', `/Parent ${parent}`), 'latin1'),
    'pdf',
  )
  for (const options of [{ compression: 'small' }, { rotate: 'right' }, { layout: 'booklet' }]) {
    const edited = await edit(options, path)
    checked(edited.path)
    expect(tool('pdftotext', edited.path, '-').trim()).toBe('word')
  }
})

test('damaged data of a page stay as they are, with a warning, and the other page is kept', async () => {
  const font = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>'
  const page = (content: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents ${content} 0 R ${font} >>`
  const path = files.write(
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>',
      page(5),
      page(6),
      pdfStream('/Filter /ASCII85Decode', '6<#{{{{{{~>'),
      pdfStream('', 'BT /F 20 Tf 20 40 Td (Page bravo) Tj ET'),
    ]),
    'pdf',
  )
  for (const options of [{ compression: 'small' }, { ...only, pages: '2,1' }]) {
    const { path: result, warnings } = await edit(options, path)
    expect(warnings[0]).toContain('A part of the PDF is damaged')
    expect(pageTexts(result)).toHaveLength(2)
    expect(textOf(result)).toContain('Page bravo')
  }
})

test('a picture is not touched if its samples mean something else', async () => {
  const stream = (entries: string, data: Buffer) =>
    `<< /Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 8 ${entries} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
  const random = seeded(5)
  const bytes = (channels: number) =>
    Buffer.from(Uint8Array.from({ length: 64 * 64 * channels }, (_, at) => (at / 64 + random(9)) & 255))
  const kinds = [
    stream('/ColorSpace /DeviceCMYK', bytes(4)),
    stream('/ColorSpace /DeviceRGB /Decode [1 0 1 0 1 0]', bytes(3)),
    stream('/ColorSpace /DeviceRGB /Mask [0 9 0 9 0 9]', bytes(3)),
    stream(
      `/ColorSpace [/Indexed /DeviceRGB 255 <${Buffer.from(bytes(3).subarray(0, 768)).toString('hex')}>]`,
      bytes(1),
    ),
  ]
  const names = kinds.map((_, index) => `/I${index} ${index + 5} 0 R`).join(' ')
  const content = kinds.map((_, index) => `q 40 0 0 40 ${index * 50} 10 cm /I${index} Do Q`).join('\n')
  const path = files.path('odd.pdf')
  writeFileSync(
    path,
    onePagePdf(content, `/MediaBox [0 0 200 100] /Resources << /XObject << ${names} >> >>`, kinds),
  )
  const { path: result } = await edit({ compression: 'small' }, path)
  expect(statSync(checked(result)).size).toBeLessThan(statSync(path).size)
  expect(sameAs(result, 1, path, 1)).toBe(Number.POSITIVE_INFINITY)
})
