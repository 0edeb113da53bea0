import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundled } from '../../../../../testing/bundle.ts'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { judge, tool } from '../../../../../testing/fixtures/media.ts'
import { makePdf, pdfStream, rawPdf } from '../../../../../testing/pdf.ts'
import { decode, onWhite } from '../../../../../testing/pictures.ts'

const files = testFiles('together')
const [letter, logo, report] = ['letter.pdf', 'logo.png', 'report.pdf'].map(name => files.path(name)) as [
  string,
  string,
  string,
]

beforeAll(async () => {
  await makePdf(
    letter,
    document => {
      document.rect(0, 0, 419.5, 100).fill('#ffd0d0').fillColor('black').text('Letterhead one', 20, 20)
      document.addPage().text('Letterhead two', 20, 20)
    },
    { size: 'A5' },
  )
  await makePdf(
    report,
    document => {
      for (const word of ['alpha', 'bravo', 'charlie']) {
        if (word !== 'alpha') document.addPage()
        document.fontSize(30).text(`Page ${word}`, 72, 72)
      }
    },
    { size: 'A5' },
  )
  const halves = Buffer.from([0, 0, 255, 255, 0, 0, 0, 0])
  await sharp(halves, { raw: { width: 2, height: 1, channels: 4 } })
    .resize(600, 300, { kernel: 'nearest', fit: 'fill' })
    .png()
    .toFile(logo)
})

async function together(paths: readonly string[], options: Record<string, unknown>) {
  const bundle = files.write(Buffer.from(''), 'tmp').replace(/tmp$/, 'bundle')
  await bundled(bundle, paths)
  const converted = await convertFile('document.files-to-pdf', bundle, options)
  for (const { path } of converted.outputs)
    if (path.endsWith('.pdf')) expect(judge('qpdf', '--check', path)).toMatchObject({ status: 0 })
  return converted
}

const textOf = (path: string, page: number, ...more: string[]) =>
  tool('pdftotext', '-f', `${page}`, '-l', `${page}`, ...more, path, '-')
    .replace(/\s+/g, ' ')
    .trim()
const pageOf = (path: string, page: number) => {
  const args = ['-png', '-r', '72', '-singlefile', '-f', `${page}`, '-l', `${page}`]
  tool('pdftoppm', ...args, path, files.path('page'))
  const picture = decode(files.path('page.png'))
  const data = onWhite(picture)
  return (x: number, y: number) => [
    ...data.subarray((y * picture.width + x) * 3, (y * picture.width + x) * 3 + 3),
  ]
}

describeFull('a stamp of a file', true, () => {
  test('is a letterhead: its pages lie under those of each document, the last on all that follow', async () => {
    const { outputs, warnings } = await together([letter, report, report], {
      combine: 'stamp',
      layer: 'under',
    })
    expect([outputs.map(({ name }) => name), warnings]).toEqual([['report.pdf', 'report.pdf'], []])
    const { path } = outputs[1]!
    const heads = [1, 2, 3].map(page => textOf(path, page))
    expect(heads.map(text => /Letterhead (\w+)/.exec(text)?.[1])).toEqual(['one', 'two', 'two'])
    expect(heads.map(text => /Page (\w+)/.exec(text)?.[1])).toEqual(['alpha', 'bravo', 'charlie'])
    const pixel = pageOf(path, 1)
    expect([pixel(200, 10), pixel(200, 300)]).toEqual([
      [255, 208, 208],
      [255, 255, 255],
    ])
    // The page's own text is over it.
    const dark = Array.from({ length: 80 }, (_, x) => pixel(75 + x, 90)[0]!)
    expect(Math.min(...dark)).toBeLessThan(60)
  })

  test('is a picture in a corner, as large and faint as wished, on chosen pages, however they are turned', async () => {
    const turned = files.path('turned.pdf')
    tool('qpdf', report, turned, '--rotate=90:1-z')
    const look = { place: 'top-right', size: 20, opacity: 50, pages: 'last' }
    const { path } = await together([logo, turned], { combine: 'stamp', ...look })
    const [before, after] = [pageOf(path, 1), pageOf(path, 3)]
    // A page of 595 by 420 points: the logo is 119 points wide, 28 from the edges, and blue on its left side alone.
    const [left, middle] = [595 - 28 - 119, 28 + 30]
    expect(before(left + 30, middle)).toEqual([255, 255, 255])
    const near = (value: number) => expect.closeTo(value, -1)
    expect([after(left + 30, middle), after(left + 90, middle), after(left - 5, middle)]).toEqual([
      [near(127), near(127), near(254)],
      [255, 255, 255],
      [255, 255, 255],
    ])
  })

  test('of damaged pages and content fails as damaged, or leaves the file out', async () => {
    const broken = files.write(Buffer.from('%PDF-1.7\nnothing'), 'pdf')
    await expect(together([broken, report], { combine: 'stamp' })).rejects.toMatchObject({
      code: 'jobs.corrupt_input',
    })
    const { outputs, warnings } = await together([letter, broken, report], { combine: 'stamp' })
    expect([outputs.length, warnings.length]).toEqual([1, 2])
    await expect(together([letter], { combine: 'stamp' })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
  })
})

testFull('files are attached as they are, besides those that are there', async () => {
  const data = files.path('Daten ☃.csv')
  writeFileSync(data, 'a,b\n1,2\n')
  const first = await together([report, data], { combine: 'attach' })
  const { path } = await together([first.path, data, logo], { combine: 'attach' })
  const out = files.path('detached')
  expect(tool('pdfdetach', '-list', path)).toMatch(/^3 embedded files\n/)
  tool('pdfdetach', '-save', '3', '-o', out, path)
  expect(readFileSync(out)).toEqual(readFileSync(logo))
  tool('pdfdetach', '-save', '1', '-o', out, path)
  expect(readFileSync(out, 'utf8')).toBe('a,b\n1,2\n')
  expect(textOf(path, 3)).toBe('Page charlie')
})

describeFull('a form', true, () => {
  const form = files.path('form.pdf')
  const table = files.path('table.csv')
  const fieldsOf = (path: string) =>
    Object.fromEntries(
      (
        JSON.parse(tool('qpdf', '--json', path)) as {
          acroform: { fields: { fullname: string; value: string }[] }
        }
      ).acroform.fields.map(({ fullname, value }) => [fullname, value?.replace(/^u:/, '')]),
    )

  beforeAll(async () => {
    await makePdf(form, document => {
      document.font('Helvetica').initForm()
      document.formText('name', 72, 72, 200, 20, { value: 'old' })
      const group = document.formField('address')
      document.formText('town', 72, 110, 200, 20, { parent: group } as never)
      document.formCombo('colour', 72, 150, 200, 20, { select: ['red', 'green'] } as never)
      document.formCheckbox('agreed', 72, 190, 20, 20, {})
      document.formText('other', 72, 230, 200, 20, { value: 'stays' })
    })
  })

  test('is filled in from each row, and what it does not take is said', async () => {
    const rows = [
      ['Name', 'address.town', 'colour', 'agreed', 'nobody'],
      ['Zoë Łukasz', 'Köln', 'Green', 'x', '1'],
      ['Second', '', 'blue', '', '2'],
    ]
    writeFileSync(table, rows.map(row => row.join(';')).join('\n'))
    const { outputs, warnings } = await together([form, table], { combine: 'fill' })
    expect(outputs.map(({ name }) => name)).toEqual(['form-1.pdf', 'form-2.pdf'])
    expect(fieldsOf(outputs[0]!.path)).toMatchObject({
      name: 'Zoë Łukasz',
      'address.town': 'Köln',
      colour: 'green',
      agreed: '/Yes',
      other: 'stays',
    })
    expect(fieldsOf(outputs[1]!.path)).toMatchObject({ name: 'Second', agreed: '/Off' })
    expect(textOf(outputs[0]!.path, 1)).toMatch(/Zoë Łukasz.*Köln.*green.*stays/)
    expect(warnings).toEqual([expect.stringContaining('nobody'), expect.stringContaining('colour (2)')])
    const flat = await together([form, table], { combine: 'fill', flatten: true })
    expect(tool('pdfinfo', flat.path)).toMatch(/Form:\s+none/)
    expect(textOf(flat.path, 1)).toMatch(/Zoë Łukasz.*Köln.*green/)
  })

  test('says which letters of its values no font here has', async () => {
    const adlam = String.fromCodePoint(0x1e900, 0x1e923)
    const filled = await together([form, files.write(Buffer.from(`name\nA ${adlam}`), 'csv')], {
      combine: 'fill',
    })
    expect(fieldsOf(filled.path).name).toBe(`A ${adlam}`)
    const given = files.path('adlam.pdf')
    await makePdf(given, document => {
      document.font('Helvetica').initForm()
      document.formText('name', 72, 72, 200, 20, { value: `A ${adlam}` })
    })
    const made = [filled]
    for (const target of ['txt', 'png']) made.push(await convertFile(`document.pdf-to-${target}`, given, {}))
    expect(made.map(({ warnings }) => warnings)).toEqual(
      Array(3).fill([expect.stringContaining('scripts properly: Adlam.')]),
    )
  })

  test('is filled in from JSON, and refused without fields, rows or names that it has', async () => {
    const json = files.write(Buffer.from('[{"name": "Åsa", "address.town": 7}]'), 'json')
    const { outputs, warnings } = await together([form, json], { combine: 'fill' })
    expect([fieldsOf(outputs[0]!.path), warnings]).toMatchObject([{ name: 'Åsa', 'address.town': '7' }, []])
    const csv = (text: string) => files.write(Buffer.from(text), 'csv')
    for (const paths of [
      [report, json],
      [form, csv('name\n')],
      [form, csv('x,y\n1,2')],
      [form, report],
    ])
      await expect(together(paths, { combine: 'fill' })).rejects.toMatchObject({
        code: 'jobs.unsupported_input',
      })
  })
})

describe('two documents', () => {
  interface Found {
    equal: boolean
    files: { pages: number }[]
    differences: { kind: string; page: number; text?: string; boxes: { left: number; top: number }[] }[]
  }
  const compared = async (one: string, other: string) => {
    const { outputs, warnings } = await together([one, other], { combine: 'compare' })
    const [{ path }, json] = outputs as [{ path: string }, { path: string }]
    return { path, warnings, found: JSON.parse(readFileSync(json.path, 'utf8')) as Found }
  }

  test('are compared by their words and looks, with marks on both', async () => {
    const changed = files.path('changed.pdf')
    await makePdf(
      changed,
      document => {
        document.fontSize(30).text('Page alpha', 72, 72)
        document.addPage().text('Page brave new', 72, 72)
        document.addPage().text('Page charlie', 72, 72).rect(200, 400, 50, 30).fill('#808000')
        document.addPage().text('appendix', 72, 72)
      },
      { size: 'A5' },
    )
    const { path, found, warnings } = await compared(report, changed)
    expect(warnings).toEqual([])
    expect([found.equal, found.files]).toEqual([false, [{ pages: 3 }, { pages: 4 }]])
    expect(found.differences.map(({ kind, page, text }) => [kind, page, text])).toEqual([
      ['removed', 2, 'bravo'],
      ['added', 2, 'brave new'],
      ['look', 3, undefined],
      ['added', 4, 'appendix'],
    ])
    const { left, top } = found.differences[2]!.boxes[0]!
    expect([left, top]).toEqual([
      expect.closeTo((200 * 25.4) / 72, -1),
      expect.closeTo((400 * 25.4) / 72, -1),
    ])
    expect(tool('pdfinfo', path)).toMatch(/Pages:\s+4\n/)
    expect(textOf(path, 2)).toMatch(/bravo.*brave new|brave new.*bravo/)
    // Sheets of A5 lying on its side: red on the left, green on the right.
    const pixel = pageOf(path, 2)
    const colours = (from: number, to: number) => {
      const seen = new Set<string>()
      for (let x = from; x < to; x++) for (let y = 40; y < 90; y++) seen.add(pixel(x, y).join())
      return seen
    }
    expect([colours(0, 297).has('255,153,153'), colours(298, 595).has('153,255,153')]).toEqual([true, true])
    expect(colours(298, 595).has('255,153,153')).toBe(false)
  })

  testFull(
    'that are equal have no marks, and the job says so; damaged ones fail, and so do three',
    async () => {
      const { found, warnings } = await compared(report, report)
      expect([found.equal, found.differences, warnings.length]).toEqual([true, [], 1])
      const empty = files.write(
        rawPdf([
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 419.53 595.28] /Contents 4 0 R >>',
          pdfStream('/Filter /FlateDecode', 'no data'),
        ]),
        'pdf',
      )
      expect((await compared(empty, report)).found.differences).toHaveLength(3)
      for (const paths of [
        [report, files.write(Buffer.from('%PDF-'), 'pdf')],
        [report, report, report],
      ])
        await expect(together(paths, { combine: 'compare' })).rejects.toMatchObject({
          code: expect.stringMatching(/corrupt_input|unsupported_input/),
        })
    },
  )
})
