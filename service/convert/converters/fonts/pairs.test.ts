import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../testing/fixtures/full.ts'
import {
  advances,
  type Comparison,
  compareFont,
  compareFonts,
  compareTables,
  extents,
  makeFonts,
  sanitised,
  shaped,
  unpackFonts,
  verticalOrigins,
} from '../../../../testing/fonts.ts'
import { smallFont } from '../../../../testing/small-font.ts'
import { writeSfnt } from '../../engines/fonts/sfnt/sfnt.ts'

const files = testFiles('fonts')
beforeAll(() => makeFonts(files.folder))

/** Permitted distance of converted outlines, as a fraction of the em, and what the judge's own straight lines add. */
const DISTANCE = 0.001 + 0.0001

const hinting = ['cvt ', 'fpgm', 'gasp', 'prep']
const versions: Record<string, string> = { ttf: '\x00\x01\x00\x00', otf: 'OTTO' }

/** Tables that stay identical, whatever happens to the outlines. */
const untouched = ['GDEF', 'GPOS', 'GSUB', 'OS/2', 'cmap', 'name']

const all = [
  ['otf', 'a.otf', 'ttf'],
  ['otf', 'a.otf', 'woff'],
  ['otf', 'a.otf', 'woff2'],
  ['ttf', 'a.ttf', 'otf'],
  ['ttf', 'a.ttf', 'woff'],
  ['ttf', 'a.ttf', 'woff2'],
  ['woff', 'ttf.woff', 'otf'],
  ['woff', 'ttf.woff', 'ttf'],
  ['woff', 'otf.woff', 'otf'],
  ['woff', 'otf.woff', 'ttf'],
  ['woff', 'otf.woff', 'woff2'],
  ['woff2', 'ttf.woff2', 'otf'],
  ['woff2', 'ttf.woff2', 'ttf'],
  ['woff2', 'otf.woff2', 'otf'],
  ['woff2', 'otf.woff2', 'ttf'],
  ['woff2', 'ttf.woff2', 'woff'],
] as const

/** In the short suite, each kind of outlines is converted, and each kind of web font packed and unpacked. */
const short = ['a.otf to ttf', 'a.ttf to otf', 'a.ttf to woff2', 'ttf.woff to ttf', 'ttf.woff2 to woff']
const pairs = kinds(all, ([, name, target]) => short.includes(`${name} to ${target}`))

interface Converted {
  path: string
  found: Comparison
}

describe('every pair keeps tables, glyphs, widths and shaping:', () => {
  const converted: Converted[] = []

  beforeAll(async () => {
    const paths = await Promise.all(
      pairs.map(async ([source, name, target]) => {
        const { path, outputs } = await convertFile(`font.${source}-to-${target}`, files.path(name))
        expect(outputs).toHaveLength(1)
        return path
      }),
    )
    const compared = compareFonts(paths.map((path, i) => [files.path(pairs[i]![1]), path]))
    converted.push(...paths.map((path, i) => ({ path, found: compared[i]! })))
    unpackFonts([...paths, ...pairs.map(([, name]) => files.path(name))].map(path => [path, `${path}.plain`]))
  })

  test.each(pairs.map((pair, index) => [...pair, index] as const))(
    '%s, %s to %s',
    (_, name, target, index) => {
      const { path, found } = converted[index]!
      expect(sanitised(path)).toBe('')
      const isCff = name.includes('otf')
      const toCff = !isCff && target === 'otf'
      const toTrueType = isCff && target === 'ttf'
      expect(found).toMatchObject({
        lost: toCff ? expect.arrayContaining(['glyf', 'loca']) : toTrueType ? ['CFF '] : [],
        gained: toCff ? ['CFF ', 'VORG'] : toTrueType ? ['gasp', 'glyf', 'loca', 'prep'] : [],
        named: true,
        cmap: true,
        widths: 0,
        flavor: target.startsWith('woff') ? target : null,
        version: versions[target === 'ttf' || target === 'otf' ? target : isCff ? 'otf' : 'ttf'],
      })
      expect(found.lost.filter(tag => !['glyf', 'loca', 'CFF ', ...hinting].includes(tag))).toEqual([])
      expect(found.same).toEqual(expect.arrayContaining(untouched))
      expect(found.distance).toBeLessThan(toCff || toTrueType ? DISTANCE : 1e-9)
      expect(found.area).toBeLessThan(toCff || toTrueType ? 0.0005 : 1e-9)
      expect(shaped(`${path}.plain`)).toBe(shaped(`${files.path(name)}.plain`))
    },
  )
})

test('a collection becomes one file for each face, named after it', async () => {
  const input = files.path('faces.ttc')
  const { outputs } = await convertFile('font.ttc-to-ttf', input)
  expect(outputs.map(({ name }) => name)).toEqual(['DejaVuSans.ttf', 'Cantarell-Regular.ttf'])
  const compared = compareFonts(outputs.map(({ path }, face) => [input, path, face]))
  for (const [face, found] of compared.entries()) {
    expect(sanitised(outputs[face]!.path)).toBe('')
    expect(found).toMatchObject({ lost: face ? ['CFF '] : [], named: true, cmap: true, widths: 0 })
    expect(found.distance).toBeLessThan(DISTANCE)
  }
})

testFull('glyphs keep their vertical origins', async () => {
  const { path } = await convertFile('font.ttf-to-otf', files.path('a.ttf'))
  const origins = verticalOrigins(files.path('a.ttf'), path)
  expect(origins.length).toBeGreaterThan(20)
  expect(origins.filter(([expected, found]) => expected !== found)).toEqual([])
  // Those without ink too.
  const back = await convertFile('font.otf-to-ttf', path)
  expect(shaped(back.path, '--direction=ttb')).toBe(shaped(path, '--direction=ttb'))
})

testFull('glyphs without names get numbers, and lose them again', async () => {
  const source = files.path('unnamed.ttf')
  const cff = await convertFile('font.ttf-to-otf', source)
  expect(sanitised(cff.path)).toBe('')
  const back = await convertFile('font.otf-to-ttf', cff.path)
  expect(sanitised(back.path)).toBe('')
  for (const found of compareFonts([
    [source, cff.path],
    [source, back.path],
  ])) {
    expect(found).toMatchObject({ cmap: true, widths: 0 })
    expect(found.distance).toBeLessThan(2 * DISTANCE)
  }
})

testFull('a CID-keyed font keeps all its glyphs and their dictionaries', async () => {
  const source = files.path('numbered.otf')
  const { path } = await convertFile('font.otf-to-ttf', source)
  expect(sanitised(path)).toBe('')
  const found = compareFont(source, path)
  expect(found).toMatchObject({ lost: ['CFF '], cmap: true, widths: 0 })
  expect(found.distance).toBeLessThan(DISTANCE)
})

testFull('a font without outlines is kept as it is', async () => {
  const { path, warnings } = await convertFile('font.ttf-to-otf', files.path('pictures.ttf'))
  expect(warnings).toEqual([expect.stringContaining('no outlines')])
  expect(compareTables(files.path('pictures.ttf'), path)).toEqual({ lost: [], gained: [], changed: [] })
})

testFull(
  'a variable font with cubic outlines becomes a TTF of its default style, and the job says so',
  async () => {
    const source = files.path('variable.otf')
    const { path, warnings } = await convertFile('font.otf-to-ttf', source)
    expect(warnings).toEqual([expect.stringContaining('variable')])
    expect(sanitised(path)).toBe('')
    const found = compareFont(source, path)
    expect(found).toMatchObject({ lost: expect.arrayContaining(['CFF2', 'fvar']), widths: 0 })
    expect(found.distance).toBeLessThan(DISTANCE)
    expect(shaped(path)).toBe(shaped(source))
  },
)

testFull('a variable TrueType font becomes an OTF of its default style, and the job says so', async () => {
  const source = files.path('variable.ttf')
  const { path, warnings } = await convertFile('font.ttf-to-otf', source)
  expect(warnings).toEqual([expect.stringContaining('variable')])
  expect(sanitised(path)).toBe('')
  const found = compareFont(source, path)
  expect(found).toMatchObject({
    lost: ['HVAR', 'STAT', 'fvar', 'glyf', 'gvar', 'loca'],
    gained: ['CFF '],
    cmap: true,
    named: true,
    widths: 0,
  })
  expect(found.distance).toBeLessThan(DISTANCE)
  expect(shaped(path)).toBe(shaped(source))
})

testFull("a scale in the font's own matrix does not count, as for renderers", async () => {
  const { path } = await convertFile('font.otf-to-ttf', files.path('scaled.otf'))
  expect(compareFont(files.path('scaled.otf'), path).distance).toBeLessThan(DISTANCE)
})

test('parts of glyphs that take their place from other parts stay there', async () => {
  const source = files.path('attached.ttf')
  const { path } = await convertFile('font.ttf-to-otf', source)
  expect(sanitised(path)).toBe('')
  for (const args of [[], ['--direction=ttb']])
    expect(advances(path, ...args)).toEqual(advances(source, ...args))
  // Without a place in its design space, HarfBuzz takes the edges of TrueType glyphs from other tables.
  const [expected, found] = [source, path].map(font => extents(font, '--variations=wght=400'))
  const differences = expected!.map((value, i) => Math.abs(value - found![i]!))
  expect(Math.max(...differences)).toBeLessThanOrEqual(1)
})

test('a font without any outline passes the sanitiser with either kind of outlines', async () => {
  const source = files.path('blank.ttf')
  const cff = await convertFile('font.ttf-to-otf', source)
  const back = await convertFile('font.otf-to-ttf', cff.path)
  for (const { path } of [cff, back]) expect(sanitised(path)).toBe('')
})

test('a width that CFF cannot hold is kept', async () => {
  const font = smallFont()
  const widths = Buffer.from(font.tables.get('hmtx')!)
  widths.writeUInt16BE(65_535, 0)
  font.tables.set('hmtx', widths)
  const source = files.write(writeSfnt(font), 'ttf')
  const { path } = await convertFile('font.ttf-to-otf', source)
  expect(sanitised(path)).toBe('')
  expect(shaped(path)).toBe(shaped(source))
})

test('glyphs behind a list of places that ends early are empty', async () => {
  const source = files.path('unlisted.ttf')
  const cff = await convertFile('font.ttf-to-otf', source)
  expect(shaped(cff.path)).toBe(shaped(source))
  expect(sanitised(cff.path)).toBe('')
})

test('Graphite rules that programs ignore in the new font are reported', async () => {
  const font = smallFont()
  font.tables.set('Silf', Buffer.alloc(8))
  const path = files.write(writeSfnt(font), 'ttf')
  const otf = await convertFile('font.ttf-to-otf', path)
  expect(otf.warnings).toEqual([expect.stringContaining('Graphite')])
  const web = await convertFile('font.ttf-to-woff', path)
  expect(web.warnings).toEqual([])
  const plain = await convertFile('font.ttf-to-otf', files.write(writeSfnt(smallFont()), 'ttf'))
  expect(plain.warnings).toEqual([])
})
