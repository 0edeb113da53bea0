import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { kinds } from '../../../../testing/fixtures/full.ts'
import { makeFonts } from '../../../../testing/fonts.ts'
import { malformed } from '../../../../testing/malformed.ts'
import { processorSeconds } from '../../../../testing/processor-time.ts'
import { smallFont } from '../../../../testing/small-font.ts'
import { JobFailure } from '../../../shared/errors.ts'
import { GlyphWriter } from '../../engines/fonts/sfnt/glyf/write.ts'
import { writeSfnt } from '../../engines/fonts/sfnt/sfnt.ts'

const files = testFiles('hostile-fonts')
beforeAll(() => makeFonts(files.folder))

/** Limit of the processor time for any damaged font of these sizes. */
const MAX_SECONDS = 3

/** How a conversion ended; an unexpected error is returned itself. */
async function ending(job: string, path: string): Promise<unknown> {
  let unexpected: unknown
  const seconds = await processorSeconds(() =>
    convertFile(job, path).catch((error: unknown) => {
      const isDocumented =
        error instanceof JobFailure && /^jobs\.(corrupt_input|unsupported_input|too_large)$/.test(error.code)
      if (!isDocumented) unexpected = error
    }),
  )
  return unexpected ?? (seconds < MAX_SECONDS ? 'well' : `after ${seconds} s of processor time`)
}

test.each(
  kinds(
    [
      ['a.otf', 'font.otf-to-ttf'],
      ['variable.otf', 'font.otf-to-ttf'],
      ['a.ttf', 'font.ttf-to-otf'],
      ['variable.ttf', 'font.ttf-to-otf'],
      ['ttf.woff', 'font.woff-to-otf'],
      ['ttf.woff2', 'font.woff2-to-ttf'],
      ['otf.woff2', 'font.woff2-to-woff'],
      ['faces.ttc', 'font.ttc-to-ttf'],
    ],
    ([name]) => /^(a\.otf|a\.ttf|ttf\.woff|otf\.woff2)$/.test(name),
  ),
)('%s, truncated or changed, gives a result or a documented failure', async (name, job) => {
  const whole = readFileSync(files.path(name))
  for (const { name: damage, bytes, cut } of malformed(whole)) {
    const path = files.write(bytes, name.slice(name.lastIndexOf('.') + 1))
    expect({ damage, ended: await ending(job, path) }).toEqual({ damage, ended: 'well' })
    if (cut) await expect(convertFile(job, path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  }
})

test('outlines with changed bytes give a result or a documented failure in WOFF2', async () => {
  for (const { name: damage, bytes } of malformed(readFileSync(files.path('a.ttf')), 8)) {
    const path = files.write(bytes, 'ttf')
    expect({ damage, ended: await ending('font.ttf-to-woff2', path) }).toEqual({ damage, ended: 'well' })
  }
})

describe('refused:', () => {
  const refused = (job: string, bytes: Uint8Array, code: string) =>
    expect(convertFile(job, files.write(bytes, /font\.(\w+)-/.exec(job)![1]!))).rejects.toMatchObject({
      code,
    })

  test('text with the suffix of a font', () =>
    refused('font.ttf-to-woff', Buffer.from('This is no font at all.'.repeat(9)), 'jobs.corrupt_input'))

  test('an empty collection', () =>
    refused('font.ttc-to-ttf', Buffer.from('ttcf\0\x01\0\0\0\0\0\0\0\0\0\0', 'latin1'), 'jobs.corrupt_input'))

  test('a collection with too many faces', () =>
    refused('font.ttc-to-ttf', Buffer.from('ttcf\0\x01\0\0\0\x01\0\0\0\0\0\0', 'latin1'), 'jobs.too_large'))

  test('a table declared larger than the file', () => {
    const font = Buffer.alloc(64)
    font.write('\0\x01\0\0\0\x01', 'latin1')
    font.write('glyf', 12, 'latin1')
    font.writeUInt32BE(0xf000_0000, 24)
    return refused('font.ttf-to-woff', font, 'jobs.corrupt_input')
  })

  test('glyphs in an extension of OpenType, where outlines would change', () => {
    const font = readFileSync(files.path('a.ttf'))
    const entry = font.indexOf('head', 12, 'latin1')
    font.writeUInt16BE(1, font.readUInt32BE(entry + 8) + 52)
    return refused('font.ttf-to-otf', font, 'jobs.unsupported_input')
  })

  test('a WOFF that unpacks to more than it claims', () => {
    const packed = deflateSync(Buffer.alloc(10_000_000))
    const woff = Buffer.alloc(64 + packed.length)
    woff.write('wOFF\0\x01\0\0', 'latin1')
    woff.writeUInt32BE(woff.length, 8)
    woff.writeUInt16BE(1, 12)
    woff.write('glyf', 44, 'latin1')
    woff.writeUInt32BE(64, 48)
    woff.writeUInt32BE(packed.length, 52)
    woff.writeUInt32BE(20_000, 56)
    woff.set(packed, 64)
    return refused('font.woff-to-ttf', woff, 'jobs.corrupt_input')
  })

  test.each([
    ['more than it says', 1000, 'jobs.corrupt_input'],
    ['more than can be held', 0xf000_0000, 'jobs.too_large'],
  ])('a WOFF2 that unpacks to %s', (_, length, code) => {
    const packed = brotliCompressSync(Buffer.alloc(10_000_000), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    })
    const header = Buffer.alloc(51)
    header.write('wOF2\0\x01\0\0', 'latin1')
    header.writeUInt32BE(header.length + packed.length, 8)
    header.writeUInt16BE(1, 12)
    header.writeUInt32BE(length, 16)
    header.writeUInt32BE(packed.length, 20)
    // One `cmap` of 1,000 bytes, which is not transformed.
    header.set([0, 0x87, 0x68], 48)
    return refused('font.woff2-to-ttf', Buffer.concat([header, packed]), code)
  })
})

describe('glyphs that need disproportionate work', () => {
  /** A font whose composite glyph `index` refers twice to the glyph that `next` returns. */
  function nested(next: (index: number) => number, depth: number): Buffer {
    const glyphs = new GlyphWriter()
    const box = { xMin: 0, yMin: 0, xMax: 100, yMax: 100 }
    const points = { ends: [1], xs: [0, 100], ys: [0, 100], onCurve: [1, 1] }
    glyphs.simple({ box, ...points, overlapping: false })
    const outlines = [glyphs.take(false).glyf]
    for (let index = 1; index < depth; index++) {
      // Two components at an offset of two bytes, the first of which is not the last.
      const composite = Buffer.alloc(24)
      for (const [i, value] of [-1, box.xMin, box.yMin, box.xMax, box.yMax].entries())
        composite.writeInt16BE(value, 2 * i)
      for (const [i, flags] of [0x0022, 0x0002].entries()) {
        composite.writeUInt16BE(flags, 10 + 6 * i)
        composite.writeUInt16BE(next(index), 10 + 6 * i + 2)
      }
      outlines.push(composite)
    }
    const font = smallFont()
    const glyf = Buffer.concat(outlines)
    const loca = Buffer.alloc(2 * depth + 2)
    let end = 0
    for (const [index, { length }] of outlines.entries()) {
      end += length / 2
      loca.writeUInt16BE(end, 2 * index + 2)
    }
    const [maxp, hhea] = ['maxp', 'hhea'].map(tag => Buffer.from(font.tables.get(tag)!))
    maxp!.writeUInt16BE(depth, 4)
    hhea!.writeUInt16BE(1, 34)
    const changed = { glyf, loca, maxp: maxp!, hhea: hhea!, hmtx: Buffer.alloc(2 * depth + 2) }
    for (const [tag, bytes] of Object.entries(changed)) font.tables.set(tag, bytes)
    return writeSfnt(font)
  }

  test('one within itself', async () => {
    const path = files.write(
      nested(index => index, 4),
      'ttf',
    )
    await expect(convertFile('font.ttf-to-otf', path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })

  testFull('each twice in the next', async () => {
    const path = files.write(
      nested(index => index - 1, 30),
      'ttf',
    )
    await expect(convertFile('font.ttf-to-otf', path)).rejects.toMatchObject({ code: 'jobs.too_large' })
  })
})
