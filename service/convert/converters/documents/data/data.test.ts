import { readFileSync, writeFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, kinds } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'

const files = testFiles('data')

/** What Python reads from a file: rows of text, cells, or values, with numbers as they are written. */
const PYTHON = {
  csv: `import csv; print(json.dumps(list(csv.reader(open(path, encoding='utf-8-sig', newline='')))))`,
  json: `print(json.dumps(json.load(open(path, encoding='utf-8'), parse_float=str, parse_int=str)))`,
  yaml: `import yaml; print(json.dumps(yaml.safe_load(open(path, encoding='utf-8'))))`,
  cells: `import openpyxl
cell = lambda v: v.isoformat() if hasattr(v, 'isoformat') else v
print(json.dumps({s.title: [[cell(c.value) for c in r] for r in s.iter_rows()] for s in openpyxl.load_workbook(path)}))`,
}
const read = (kind: 'csv' | 'json' | 'yaml' | 'cells', path: string) =>
  JSON.parse(tool('/usr/bin/python3', '-c', `import json, sys; path = sys.argv[1]\n${PYTHON[kind]}`, path))

const write = (text: string | Buffer, suffix: string) => files.write(Buffer.from(text), suffix)
const to = (target: string, path: string, options: Record<string, unknown> = {}) =>
  convertFile(`document.${path.split('.').at(-1)}-to-${target}`, path, options)

const rows = [
  ['id', 'zip', 'amount', 'card', 'day', 'time', 'note', 'ok', 'none'],
  ['1', '01234', '1.50', '4111111111111111', '2024-03-05', '2024-03-05T10:30:00', 'a "b", ü', 'true', ''],
  ['20', '00001', '-12.345', '12345678901234567890', '1899-01-01', '2024-12-31 23:59', '1=1', 'TRUE', ''],
  ['3', '99999', '100', '0.10', '2024-02-30', '03/04/2024', ' x\ny ', '1e5', ''],
]
const csvOf = (table: string[][], delimiter = ',') =>
  `${table.map(row => row.map(cell => (/["\n]|[,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)).join('\n')}\n`
const source = write(csvOf(rows), 'csv')

describe.each(few(2, ['xlsx', 'json', 'yaml']))('CSV by way of %s', middle => {
  test('comes back with every sign', async () => {
    const { path } = await to(middle, source)
    const back = await to('csv', path)
    expect(read('csv', back.path)).toEqual(rows)
    expect(back.warnings).toEqual([])
  })
})

/** A record of BIFF12 ([MS-XLSB] 2.1.4). */
function record(id: number, ...parts: Buffer[]): Buffer {
  const size = Buffer.concat(parts).length
  return Buffer.concat([
    Buffer.from(id < 128 ? [id] : [(id & 127) | 128, id >> 7]),
    Buffer.of(size),
    ...parts,
  ])
}
const int = (value: number) => Buffer.from(Int32Array.of(value).buffer)
const wide = (text: string) => Buffer.concat([int(text.length), Buffer.from(text, 'utf16le')])

testFull('a binary workbook is read like others', async () => {
  const sheet = record(156, int(0), int(1), wide('rId1'), wide('Data'))
  const cells = [
    record(0, int(0), int(0), Buffer.alloc(9)),
    record(6, int(0), int(0), wide('größer')),
    record(5, int(1), int(0), Buffer.from(Float64Array.of(1.25).buffer)),
  ]
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types'
  const links = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const kinds = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const link = (kind: string, target: string) =>
    strToU8(
      `<Relationships xmlns="${links}"><Relationship Id="rId1" Type="${kinds}/${kind}" Target="${target}"/></Relationships>`,
    )
  const path = write(
    Buffer.from(
      zipSync({
        '[Content_Types].xml': strToU8(
          `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/><Override PartName="/xl/worksheets/sheet1.bin" ContentType="application/vnd.ms-excel.worksheet"/></Types>`,
        ),
        '_rels/.rels': link('officeDocument', 'xl/workbook.bin'),
        'xl/_rels/workbook.bin.rels': link('worksheet', 'worksheets/sheet1.bin'),
        'xl/workbook.bin': Buffer.concat([record(131), record(143), sheet, record(144), record(132)]),
        'xl/worksheets/sheet1.bin': Buffer.concat([
          ...[record(129), record(145), ...cells, record(146), record(130)],
        ]),
      }),
    ),
    'xlsx',
  )
  const { path: made } = await to('csv', path)
  expect(read('csv', made)).toEqual([['größer', '1.25']])
})

testFull('a workbook has numbers and dates where nothing of them is lost, and text elsewhere', async () => {
  const { path } = await to('xlsx', source)
  const [sheet] = Object.values(read('cells', path)) as unknown[][][]
  expect(sheet!.slice(1)).toEqual([
    [
      1,
      '01234',
      1.5,
      '4111111111111111',
      '2024-03-05T00:00:00',
      '2024-03-05T10:30:00',
      'a "b", ü',
      true,
      null,
    ],
    [20, '00001', -12.345, '12345678901234567890', '1899-01-01', '2024-12-31T23:59:00', '1=1', 'TRUE', null],
    [3, '99999', 100, '0.10', '2024-02-30', '03/04/2024', ' x\ny ', '1e5', null],
  ])
  const asText = await to('xlsx', source, { values: 'text' })
  expect((Object.values(read('cells', asText.path)) as unknown[][][])[0]![1]!.slice(0, 5)).toEqual(
    rows[1]!.slice(0, 5),
  )
})

test('JSON and YAML of a table are objects by its first row, or lists', async () => {
  const [json, yaml] = [await to('json', source), await to('yaml', source)]
  const first = {
    id: '1',
    zip: '01234',
    amount: '1.50',
    card: '4111111111111111',
    day: '2024-03-05',
    ok: true,
    none: null,
  }
  expect(read('json', json.path)[0]).toMatchObject(first)
  expect(read('yaml', yaml.path)[0]).toMatchObject({ ...first, id: 1, amount: 1.5 })
  const lists = await to('json', source, { header: false })
  expect(read('json', lists.path)[0]).toEqual(rows[0])
})

testFull('JSON of a long table is whole, with or without a header', async () => {
  const long = Array.from({ length: 5000 }, (_, at) => [`${at}`, `A name of some letters ${at}`])
  const path = write(csvOf([['n', 'name'], ...long]), 'csv')
  const objects = read('json', (await to('json', path)).path)
  expect(objects).toEqual(long.map(([n, name]) => ({ n, name })))
  const lists = read('json', (await to('json', path, { header: false })).path)
  expect(lists).toEqual([['n', 'name'], ...long])
})

describe('a CSV file', () => {
  const words = [
    ['Größe', 'Preis'],
    ['Öl; 1', '1,50'],
  ]
  test.each(
    few(2, [
      ['semicolons', Buffer.from(csvOf(words, ';'))],
      ['tabs', Buffer.from(csvOf(words, '\t'))],
      ['a named separator', Buffer.from(`sep=|\r\n${csvOf(words, '|')}`)],
      ['Windows letters', Buffer.from(csvOf(words, ';'), 'latin1')],
      ['UTF-16', Buffer.from(`\uFEFF${csvOf(words, '\t')}`, 'utf16le')],
    ]),
  )('with %s is read without being told', async (_, bytes) => {
    const { path } = await to('json', write(bytes, 'csv'))
    expect(read('json', path)).toEqual([{ Größe: 'Öl; 1', Preis: '1,50' }])
  })

  test('in an encoding that it does not name is read by what it says, with a warning, or as told', async () => {
    // In Windows-1250.
    const polish = write(Buffer.from('miasto;n\n\xa3\xf3d\x9f;1\nKrak\xf3w;2\n', 'latin1'), 'csv')
    const { path, warnings } = await to('json', polish)
    expect(read('json', path).map(({ miasto }: { miasto: string }) => miasto)).toEqual(['Łódź', 'Kraków'])
    expect(warnings).toEqual([expect.stringContaining('Windows-1250')])
    const named = await to('json', polish, { encoding: 'windows1252' })
    expect(read('json', named.path)[0].miasto).toBe('£ódŸ')
    expect(named.warnings).toEqual([])
  })

  testFull('with decimal commas becomes numbers, and back', async () => {
    const options = { decimals: 'comma' }
    const { path } = await to('xlsx', write(csvOf(words, ';'), 'csv'), options)
    expect((Object.values(read('cells', path)) as unknown[][][])[0]).toEqual([words[0], ['Öl; 1', 1.5]])
    const back = await to('csv', path, { ...options, delimiter: 'semicolon', byteOrderMark: false })
    expect(readFileSync(back.path, 'utf8')).toBe('Größe;Preis\r\n"Öl; 1";1,50\r\n')
  })

  test.each(
    few(1, [
      ['a,b\n"1, 2",x\n3,"y\n4,z\n', ['1, 2 x', '3 "y', '4 z']],
      ['a,b\r\n"1\n2","x\r\n3,y', ['1\n2 "x', '3 y']],
      ['a,b\n"Smith, John",1\n"Lee, Bo', ['Smith, John 1', '"Lee  Bo']],
    ]),
  )('whose quotation mark never ends keeps what is before it, and its rows: %j', async (text, expected) => {
    const { path, warnings } = await to('json', write(text, 'csv'))
    expect(read('json', path).map(({ a, b }: { a: string; b: string }) => `${a} ${b}`)).toEqual(expected)
    expect(warnings).toHaveLength(1)
  })

  testFull('with a million empty lines within is read in time', async () => {
    const { path } = await to('json', write(`a\n1${'\n'.repeat(1_000_000)}2`, 'csv'))
    expect(read('json', path)).toEqual([{ a: '1' }, { a: '2' }])
  })

  test('with more in a cell than a sheet holds is cut off there, with a warning', async () => {
    const { path, warnings } = await to('xlsx', write(`a,b\n${'x'.repeat(40_000)},y\n`, 'csv'))
    const [[, cells]] = Object.values(read('cells', path)) as [string[][]]
    expect(cells).toEqual(['x'.repeat(32_767), 'y'])
    expect(warnings).toEqual([expect.stringContaining('Cells cut off')])
  })

  test('runs nothing in a spreadsheet, and keeps numbers', async () => {
    const cells = [
      '=1+1',
      '+cmd',
      '-x',
      '@sum',
      '\t=1',
      '\r=1',
      '-5',
      '+49 (170) 12-3',
      '-',
      'a=b',
      -5.5,
      true,
    ]
    const { path } = await to('csv', write(JSON.stringify([['=head'], cells]), 'json'))
    expect(read('csv', path)[0][0]).toBe("'=head")
    const plain = ['-5', '+49 (170) 12-3', '-', 'a=b', '-5.5', 'true']
    expect(read('csv', path)[1]).toEqual([...cells.slice(0, 6).map(cell => `'${cell}`), ...plain])
  })
})

describeFull('a workbook', true, () => {
  const book = files.path('book.xlsx')
  const script = `
import openpyxl, datetime, sys
book = openpyxl.Workbook()
sheet = book.active
sheet.title = 'One'
for row in [['zip', 'price', 'day', 'moment', 'span', 'text', 'yes', 'sum'], [1234, 2, datetime.date(2024, 3, 5), datetime.datetime(2024, 3, 5, 10, 30, 15), datetime.timedelta(hours=30), 'über', True, '=1+1']]:
    sheet.append(row)
sheet['A2'].number_format = '00000'
sheet['B2'].number_format = '#,##0.00 "EUR"'
other = book.create_sheet('Two/2'.replace('/', '-'))
other['C3'] = 'far'
book.create_sheet('Empty')
book.save(sys.argv[1])`
  test('shows its values as its formats do', async () => {
    tool('/usr/bin/python3', '-c', script, book)
    const { path, outputs, warnings } = await to('csv', book)
    expect(outputs.map(({ name }) => name)).toEqual(['book-One.csv', 'book-Two-2.csv'])
    expect(read('csv', path)[1]).toEqual([
      '01234',
      '2.00',
      '2024-03-05',
      '2024-03-05 10:30:15',
      '30:00:00',
      'über',
      'true',
      '',
    ])
    expect(read('csv', outputs[1]!.path)).toEqual([
      ['', '', ''],
      ['', '', ''],
      ['', '', 'far'],
    ])
    expect(warnings[0]).toContain('1')
    const json = read('json', (await to('json', book, { sheet: 'One' })).path)
    expect(json).toMatchObject([{ zip: '01234', price: '2.00', day: '2024-03-05', yes: true, sum: null }])
    expect(Object.keys(read('yaml', (await to('yaml', book)).path))).toEqual(['One', 'Two-2'])
    await expect(to('csv', book, { sheet: 'Three' })).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
  })

  test('of Excel on a Mac, which counted days from 1904, keeps its dates', async () => {
    const mac = `
import openpyxl, datetime, sys
book = openpyxl.Workbook()
book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
book.active.append([datetime.date(2024, 3, 5)])
book.save(sys.argv[1])`
    tool('/usr/bin/python3', '-c', mac, files.path('mac.xlsx'))
    const { path } = await to('csv', files.path('mac.xlsx'))
    expect(read('csv', path)).toEqual([['2024-03-05']])
  })
})

testFull('words that every object knows, and what looks like an escape, are cells like others', async () => {
  const words = [
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    '_x0041_',
    'constructor',
    'a & <b>',
    ' c\n d ',
  ]
  const csv = write(`${csvOf([words.map((_, at) => `n${at}`), words])}`, 'csv')
  const { path } = await to('xlsx', csv)
  const [sheet] = Object.values(read('cells', path)) as unknown[][][]
  expect(sheet![1]).toEqual(words)
  const keys = Object.fromEntries(words.map(word => [word.trim(), word]))
  const json = write(JSON.stringify([{ ...keys, ['__proto__']: '__proto__' }]), 'json')
  const back = await to('json', (await to('xlsx', json)).path)
  expect(Object.entries(read('json', back.path)[0])).toEqual(Object.entries(read('json', json)[0]))
  expect(read('csv', (await to('csv', (await to('ods', csv)).path)).path)[1]).toEqual(words)
})

testFull('dates, times of day and hours that are counted are told apart, and none loses a part', async () => {
  const book = files.path('times.xlsx')
  const script = `
import openpyxl, datetime, sys
sheet = openpyxl.Workbook()
day, clock = datetime.datetime(2024, 3, 5, 15, 4, 9), datetime.time(15, 4)
cells = [(day, 'h:mm AM/PM'), (day, 'hh:mm:ss'), (day, 'mm:ss'), (day, 'd.m.yy'), (day, 'mmm-yy'), (day, 'dddd'), (clock, 'h:mm AM/PM'),
         (1.25, 'h:mm'), (datetime.timedelta(days=3, hours=2), '[h]:mm'), (3.5, '[mm]:ss'), (45356.99999999999, 'yyyy-mm-dd'),
         (0.1 * 33, '0.00'), (0.1 + 0.2, 'General'), (1 / 3, '0.0'), (-0.1 * 3, '#,##0.00'), (1234567890123456, '0'), (1e-7 * 3, 'General')]
for value, code in cells:
    sheet.active.append([value])
    sheet.active.cell(sheet.active.max_row, 1).number_format = code
sheet.save(sys.argv[1])`
  tool('/usr/bin/python3', '-c', script, book)
  const shown = read('csv', (await to('csv', book)).path)
  expect(shown.flat()).toEqual([
    ...Array(6).fill('2024-03-05 15:04:09'),
    '15:04',
    '1900-01-01 06:00',
    '74:00',
    '84:00:00',
    '2024-03-06',
    '3.30',
    '0.3',
    '0.333333333333333',
    '-0.30',
    '1234567890123456',
    '3e-7',
  ])
  for (const target of ['json', 'yaml', 'html', 'md']) {
    const text = readFileSync((await to(target, book, { header: false })).path, 'utf8')
    expect(text).toMatch(/3\.30\D/)
    expect(text).not.toMatch(/0000000/)
  }
})

describe('values within values', () => {
  testFull('become columns, and lists of objects become sheets', async () => {
    const json = files.path('values.json')
    writeFileSync(
      json,
      '{"count": 2, "people": [{"name": "A", "home": {"city": "X", "zip": "01"}}, {"name": "B", "tags": [1, {"t": 2}], "id": 12345678901234567890}], "cars": [[1, 2]]}',
    )
    const { path } = await to('xlsx', json)
    expect(read('cells', path)).toEqual({
      people: [
        ['name', 'home.city', 'home.zip', 'tags', 'id'],
        ['A', 'X', '01', null, null],
        ['B', null, null, '[1,{"t":2}]', '12345678901234567890'],
      ],
      cars: [[1, 2]],
      values: [['count'], [2]],
    })
  })

  testFull('are the same in JSON and YAML, whatever their text looks like to others', async () => {
    const value = {
      no: 'no',
      day: '2024-03-05',
      old: '0123',
      e: '1e3',
      n: null,
      deep: [[1, []], { a: {} }],
      '2': 'b',
      '1': ['x\ny', ' z '],
    }
    const { path } = await to('yaml', write(JSON.stringify(value), 'json'))
    expect(read('yaml', path)).toEqual(value)
    const back = await to('json', path)
    expect(JSON.parse(readFileSync(back.path, 'utf8'))).toEqual(value)
  })

  test('of YAML keep their digits, anchors are followed, and documents become a list', async () => {
    const yaml = write(
      'base: &b {v: 1.50, zip: 01234}\nown: {<<: *b, big: 12345678901234567890}\n---\n- no\n',
      'yaml',
    )
    const { path } = await to('json', yaml)
    expect(read('json', path)).toEqual([
      { base: { v: '1.50', zip: '01234' }, own: { v: '1.50', zip: '01234', big: '12345678901234567890' } },
      ['no'],
    ])
  })

  testFull('keep both of two keys that make the same name', async () => {
    const { path } = await to('csv', write('[{"a.b":1,"a":{"b":2}}]', 'json'))
    expect(read('csv', path)).toEqual([
      ['a.b', 'a.b (2)'],
      ['1', '2'],
    ])
    const keyed = await to('csv', write('{"x":{"key":1},"y":{"key":2}}', 'json'))
    expect(read('csv', keyed.path)).toEqual([
      ['key (2)', 'key'],
      ['x', '1'],
      ['y', '2'],
    ])
  })

  test('in lines are a list', async () => {
    const { path } = await to('csv', write('{"a":1}\n{"a":2,"b":"x"}\n', 'json'))
    expect(read('csv', path)).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['2', 'x'],
    ])
  })
})

testFull('a hundred thousand columns without a name of their own are numbered in time', async () => {
  const { path } = await to('json', write(`${'a,'.repeat(100_000)}\n1\n`, 'csv'))
  expect(Object.keys(read('json', path)[0]).at(-2)).toBe('a (100000)')
})

testFull('keys that are numbers keep their places', async () => {
  const json = String.raw`{"b": 1, "2": {"10": "x\"3\": y", "9": 0}, "1": ["4", "5"], "#7": 2, "a\"6": 3, "6": 4}`
  const source = write(json, 'json')
  const { path } = await to('yaml', source)
  const both =
    'import json, sys, yaml; [print(json.dumps(r(open(p)))) for r, p in zip((json.load, yaml.safe_load), sys.argv[1:])]'
  const [expected, found] = tool('/usr/bin/python3', '-c', both, source, path).split('\n')
  expect(found).toBe(expected)
})

testFull('an anchor may be used as often as one likes', async () => {
  const yaml = `base: &base {log: on-disk, sizes: [1, 2]}\nall:\n${'  - *base\n'.repeat(500)}`
  const { path } = await to('json', write(yaml, 'yaml'))
  expect(read('json', path).all).toEqual(Array(500).fill({ log: 'on-disk', sizes: ['1', '2'] }))
})

const bomb = `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join()}]`).join('\n')}\n`
test.each(
  kinds(
    [
      ['json', '{"a": 1,\n "b": }', 'jobs.corrupt_input'],
      ['json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'jobs.too_large'],
      ['yaml', 'a: b: c', 'jobs.corrupt_input'],
      ['yaml', 'a: *b', 'jobs.corrupt_input'],
      ['yaml', bomb, 'jobs.too_large'],
      ['csv', '', 'jobs.unsupported_input'],
      ['csv', '\0\x01\x02\x03'.repeat(99), 'jobs.corrupt_input'],
      ['xlsx', 'PK\x03\x04 nothing', 'jobs.corrupt_input'],
    ],
    ([, text]) => text !== bomb,
  ),
)('%s that cannot be read fails with the right code: %#', async (suffix, text, code) => {
  const path = files.path(`bad.${suffix}`)
  writeFileSync(path, text)
  await expect(to(suffix === 'csv' || suffix === 'json' ? 'yaml' : 'csv', path)).rejects.toMatchObject({
    code,
  })
})

test.each(
  few(2, [
    ['short rows below a long one', 'csv', 'json', `${'x,'.repeat(30_000)}\n${'a\n'.repeat(30_000)}`],
    ['short rows below a long one', 'csv', 'xlsx', `${','.repeat(16_000)}\n${'a\n'.repeat(30_000)}`],
    [
      'objects without a name in common',
      'json',
      'csv',
      `[${Array.from({ length: 20_000 }, (_, nth) => `{"k${nth}":1}`).join()}]`,
    ],
  ]),
)('%s are refused as too large: %s to %s', async (_, suffix, target, content) => {
  await expect(to(target, write(content, suffix))).rejects.toMatchObject({ code: 'jobs.too_large' })
})

testFull('tables become a web page, Markdown, Word and LaTeX, as pandoc reads them', async () => {
  const cells = [
    ['name', 'n', 'note'],
    ['a|b', '1.50', 'x*y* <b> & $1'],
    ['c', '20', 'two\nlines'],
  ]
  const own = write(csvOf(cells), 'csv')
  for (const [target, reader] of [
    ['html', 'html'],
    ['md', 'gfm'],
    ['docx', 'docx'],
    ['tex', 'latex'],
  ] as const) {
    const { path } = await to(target, own)
    const plain = tool('pandoc', '-f', reader, '-t', 'html', '--wrap=none', path)
    const found = [...plain.matchAll(/<t[hd](?: [^>]*)?>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
      cell
        .replace(/<br ?\/?>\s*/g, '\n')
        .replace(/<[^>]+>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    )
    // pandoc reads a new line in a cell of LaTeX as a space.
    const wanted = cells.flat().map(cell => (target === 'tex' ? cell.replace('\n', ' ') : cell))
    expect(found).toEqual(wanted)
    const aligned = { html: '<td class="right">1.50', md: '| --- | --: | --- |', docx: '', tex: '' }[target]
    expect(readFileSync(path, 'utf8')).toContain(aligned)
  }
  const { path } = await to('txt', own)
  expect(readFileSync(path, 'utf8')).toBe('name\tn\tnote\na|b\t1.50\tx*y* <b> & $1\nc\t20\ttwo lines\n')
})
