/** Pictures that specify their colours by numbers rather than a profile: code points, gamma, primaries. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { describeFull } from '../../../../testing/describe-full.ts'
import { testFiles } from '../../../../testing/files.ts'
import { convertFile } from '../../../../testing/fixtures/convert.ts'
import { few, isFull, onlyFull } from '../../../../testing/fixtures/full.ts'
import { heicOf } from '../../../../testing/fixtures/heif.ts'
import { tool } from '../../../../testing/fixtures/media.ts'
import { decode } from '../../../../testing/pictures.ts'
import { chunk } from '../../engines/pictures/formats/png.ts'

const files = testFiles('named-colour')

type Triple = [number, number, number]

/** The colour that all pictures here show, in sRGB. */
const COLOUR: Triple = [200, 100, 50]
const light = COLOUR.map(value => {
  const signal = value / 255
  return signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4
})

/** Converts linear sRGB light to other primaries (ITU-R BT.2087, SMPTE EG 432-1). */
const MATRICES = {
  rec2020: [
    [0.6274, 0.3293, 0.0433],
    [0.0691, 0.9195, 0.0114],
    [0.0164, 0.088, 0.8956],
  ],
  p3: [
    [0.8225, 0.1774, 0],
    [0.0332, 0.9669, 0],
    [0.0171, 0.0724, 0.9108],
  ],
  srgb: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
}
const into = (gamut: keyof typeof MATRICES, curve: (light: number) => number) =>
  MATRICES[gamut].map(row => curve(row.reduce((sum, part, at) => sum + part * light[at]!, 0))) as Triple

const srgb = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)
/** Signals for light of which 1 is `white` nits (SMPTE ST 2084; ITU-R BT.2100 for a screen of 1000). */
const pq = (white: number) => (value: number) => {
  const power = ((value * white) / 10_000) ** 0.1593017578125
  return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375
}
const hlg = (white: number) => (value: number) => {
  const scene = ((value * white) / 1000) ** (1 / 1.2)
  return scene <= 1 / 12 ? Math.sqrt(3 * scene) : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073
}

const drawn = new Map<string, Buffer>()

/** A 16-bit single-colour PNG, given by signals of 0 to 1. */
function plain(signals: Triple, ...options: string[]): string {
  const key = [...signals, ...options].join(' ')
  const known = drawn.get(key) ?? readFileSync(draw(signals, options))
  drawn.set(key, known)
  return files.write(known, 'png')
}

function draw(signals: Triple, options: readonly string[]): string {
  const pixels = Buffer.alloc(32 * 32 * 6)
  for (let at = 0; at < pixels.length; at += 2)
    pixels.writeUInt16BE(Math.round(signals[(at / 2) % 3]! * 65_535), at)
  const source = files.write(Buffer.concat([Buffer.from('P6\n32 32\n65535\n'), pixels]), 'ppm')
  const path = source.replace('.ppm', '.png')
  tool('convert', source, '-strip', '-define', 'png:exclude-chunks=all', ...options, path)
  return path
}

const colourOf = (path: string) => [...decode(path).data.subarray(0, 3)]

function expectColour(path: string, wanted: readonly number[], within = 3) {
  const got = colourOf(path)
  for (const [part, value] of wanted.entries())
    expect(Math.abs(got[part]! - value), `${got} for ${wanted}`).toBeLessThanOrEqual(within)
}

const cases: [
  name: string,
  codePoints: [primaries: number, transfer: number, matrix: number],
  signals: Triple,
][] = [
  ['Display P3', [12, 13, 1], into('p3', srgb)],
  ['Rec. 2020', [9, 13, 9], into('rec2020', srgb)],
  ['Rec. 2020 in PQ', [9, 16, 9], into('rec2020', pq(203))],
  ['Rec. 2020 in HLG', [9, 18, 9], into('rec2020', hlg(203))],
  ['Display P3 in PQ', [12, 16, 6], into('p3', pq(203))],
  ['linear light', [1, 8, 1], into('srgb', value => value)],
  ['gamma 2.2', [1, 4, 1], into('srgb', value => value ** (1 / 2.2))],
  ['sRGB', [1, 13, 6], into('srgb', srgb)],
]

describe.each(few(3, cases))('%s', (_, [primaries, transfer, matrix], signals) => {
  // Nothing changes below the knee of the tone curve; white is above it, where red is here.
  test.each(isFull ? ['full', 'limited'] : ['limited'])('AVIF in %s range', async range => {
    const path = files.path('a.avif')
    const codePoints = [primaries, transfer, matrix].join('/')
    const options = [
      '-s',
      '8',
      '-d',
      '10',
      '-y',
      '444',
      '-r',
      range,
      '--cicp',
      codePoints,
      '--min',
      '0',
      '--max',
      '1',
    ]
    tool('avifenc', ...options, plain(signals), path)
    expectColour((await convertFile('image.avif-to-png', path)).path, COLOUR)
  })

  const hdrOnly = isFull || (transfer === 16 && primaries === 9) ? ['AVIF'] : []
  test.each(hdrOnly)('%s keeps no profile that it did not have', async () => {
    const path = files.path('b.avif')
    const options = [
      '-s',
      '8',
      '-d',
      '10',
      '--cicp',
      [primaries, transfer, matrix].join('/'),
      '--min',
      '0',
      '--max',
      '1',
    ]
    tool('avifenc', ...options, plain(signals), path)
    const kept = await convertFile('image.avif-to-png', path, { metadata: { strip: false } })
    expectColour(kept.path, COLOUR)
    expect(tool('exiftool', '-s3', '-ICC_Profile:ProfileDescription', kept.path).trim()).toMatch(
      /^(sRGB.*)?$/,
    )
  })

  // The code points are read by the code that reads those of AVIF.
  const pixelFormats = ['yuv420p10', 'yuv444p'].filter(
    name => isFull || (name === 'yuv420p10' && transfer === 16 && primaries === 9),
  )
  test.each(onlyFull(pixelFormats))('HEIC in %s', async pixelFormat => {
    const data = new Uint8Array(64 * 64 * 3).map((_value, at) => Math.round(signals[at % 3]! * 255))
    const name = { 1: 'bt709', 6: 'bt601', 9: 'bt2020' }[matrix] ?? ''
    const nclx = { primaries, transfer, matrix, fullRange: true }
    const bytes = heicOf({ width: 64, height: 64, data }, { pixelFormat, nclx, matrix: name, x265: 'crf=2' })
    const { path } = await convertFile('image.heic-to-png', files.write(bytes, 'heic'))
    // An eight-bit step in PQ is several steps in sRGB.
    expectColour(path, COLOUR, transfer === 16 || transfer === 8 ? 7 : 4)
  })

  test('PNG', async () => {
    const path = plain(signals)
    const file = readFileSync(path)
    const head = file.subarray(0, 33)
    const named = Buffer.concat([
      head,
      chunk('cICP', Buffer.from([primaries, transfer, 0, 1])),
      file.subarray(33),
    ])
    writeFileSync(path, named)
    expectColour((await convertFile('image.png-to-jpg', path)).path, COLOUR)
  })
})

describeFull('light of HDR', true, () => {
  const grey = (nits: number) => pq(1)(nits)
  const shown = async (nits: number, ...options: string[]) => {
    const path = files.path('hdr.avif')
    const signal = grey(nits)
    const codePoints = ['-s', '8', '-d', '10', '-y', '444', '--cicp', '9/16/9', '--min', '0', '--max', '1']
    tool('avifenc', ...codePoints, ...options, plain([signal, signal, signal]), path)
    const [value = 0] = colourOf((await convertFile('image.avif-to-png', path)).path)
    return value
  }

  test('keeps its shadows, compresses its highlights, and is monotonic', async () => {
    const values: number[] = []
    for (const nits of [5, 20, 90, 203, 400, 1000, 4000]) values.push(await shown(nits))
    const plainly = [5, 20, 90].map(nits => Math.round(srgb(nits / 203) * 255))
    for (const [at, value] of plainly.entries()) expect(Math.abs(values[at]! - value)).toBeLessThanOrEqual(2)
    expect(values.slice(0, 6)).toEqual(values.slice(0, 6).toSorted((a, b) => a - b))
    // Diffuse white is bright, and brighter light still differs from it.
    expect(values[3]).toBeGreaterThan(215)
    expect(values[3]).toBeLessThan(240)
    expect(values[4]! - values[3]!).toBeGreaterThan(8)
    expect(values[5]).toBe(255)
    expect(values[6]).toBe(255)
  })

  test('is not compressed more than the file requires', async () => {
    const named = async (peak: number, screen?: number) => {
      const signal = grey(203)
      const path = plain([signal, signal, signal])
      const file = readFileSync(path)
      const content = Buffer.alloc(8)
      content.writeUInt32BE(peak * 10_000)
      // Six chromaticities and the white point come before the brightest light of the screen.
      const mastering = Buffer.alloc(24)
      mastering.writeUInt32BE((screen ?? 0) * 10_000, 16)
      const chunks = [
        chunk('cICP', Buffer.of(9, 16, 0, 1)),
        screen ? chunk('mDCV', mastering) : chunk('cLLI', content),
      ]
      writeFileSync(path, Buffer.concat([file.subarray(0, 33), ...chunks, file.subarray(33)]))
      return colourOf((await convertFile('image.png-to-jpg', path)).path)[0] ?? 0
    }
    expect(await named(203)).toBeGreaterThan(252)
    expect(await named(4000)).toBeLessThan(await named(1000))
    expect(await named(0, 4000)).toBe(await named(4000))
  })
})

describe('PNG with gamma and primaries', () => {
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length)
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at)
    return bytes
  }
  const P3 = numbers(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000)
  const SRGB = numbers(31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000)
  const numbered = (signals: Triple, chunks: [string, Buffer][], ...options: string[]) => {
    const path = plain(signals, ...options)
    const file = readFileSync(path)
    const added = chunks.map(([type, data]) => chunk(type, data))
    writeFileSync(path, Buffer.concat([file.subarray(0, 33), ...added, file.subarray(33)]))
    return path
  }
  const result = async (path: string) => (await convertFile('image.png-to-jpg', path)).path

  test.each<[string, Triple, [string, Buffer][]]>([
    ['linear light', into('srgb', value => value), [['gAMA', numbers(100_000)]]],
    ['gamma 1.8', into('srgb', value => value ** (1 / 1.8)), [['gAMA', numbers(55_556)]]],
    ['primaries', into('p3', srgb), [['cHRM', P3]]],
    [
      'both',
      into('p3', value => value ** (1 / 1.8)),
      [
        ['gAMA', numbers(55_556)],
        ['cHRM', P3],
      ],
    ],
    [
      'numbers of sRGB',
      into('srgb', srgb),
      [
        ['gAMA', numbers(45_455)],
        ['cHRM', SRGB],
      ],
    ],
    [
      'sRGB, which outranks numbers',
      into('srgb', srgb),
      [
        ['sRGB', Buffer.of(0)],
        ['gAMA', numbers(100_000)],
      ],
    ],
    ['primaries that are none', into('srgb', srgb), [['cHRM', numbers(0, 0, 0, 0, 0, 0, 0, 0)]]],
  ])('%s', async (name, signals, chunks) => {
    expectColour(await result(numbered(signals, chunks)), COLOUR)
    // With a palette, too.
    if (isFull || name === 'both')
      expectColour(await result(numbered(signals, chunks, '-depth', '8', '-type', 'Palette')), COLOUR, 5)
  })

  test.each([8, 16])('grey of %i bits', async bits => {
    const signal = 0.2
    const path = numbered(
      [signal, signal, signal],
      [['gAMA', numbers(100_000)]],
      '-depth',
      String(bits),
      '-colorspace',
      'Gray',
    )
    const wanted = Math.round(srgb(Math.round(signal * 255) / 255) * 255)
    expectColour(await result(path), [wanted, wanted, wanted])
  })
})
