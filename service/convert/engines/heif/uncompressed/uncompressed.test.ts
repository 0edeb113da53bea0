import { readFileSync } from 'node:fs'
import { brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { testFiles } from '../../../../test/files.ts'
import { tool } from '../../../../test/media.ts'
import { gradient, psnr } from '../../../../test/pixels.ts'
import { box, fullBox, handler, text, u8, u16, u32 } from '../../formats/iso-boxes-write.ts'
import { AVIF, decodeHeif } from '../index.ts'

const files = testFiles('uncompressed')

const [WIDTH, HEIGHT] = [32, 16]
const picture = gradient(WIDTH, HEIGHT)
const SIZE = ['-s', `${WIDTH}x${HEIGHT}`]

const TYPES = { grey: 0, y: 1, cb: 2, cr: 3, r: 4, g: 5, b: 6, a: 7, pad: 12, depth: 8 }
const INTERLEAVES = ['component', 'pixel', 'mixed', 'row', 'tile-component', 'multi-y']

interface Recipe {
  /** Components such as `g:6`, or `g:7:1` with the bytes that it is aligned to; 8 bits by default. */
  components: string
  interleave?: string
  sampling?: number
  littleEndian?: boolean
  blockBytes?: number
  pixelBytes?: number
  rowAlign?: number
  tileAlign?: number
  columns?: number
  rows?: number
  /** `cmpC` and such. */
  properties?: Buffer[]
}

function setup(recipe: Recipe): Buffer[] {
  const components = recipe.components.split(' ').map(component => component.split(':'))
  return [
    box('cmpd', u32(components.length), u16(...components.map(([kind]) => TYPES[kind as 'y']))),
    fullBox(
      ...(['uncC', 0, 0, u32(0), u32(components.length)] as const),
      ...components.map(([, bits = 8, bytes = 0], index) =>
        Buffer.concat([u16(index), u8(Number(bits) - 1, 0, Number(bytes))]),
      ),
      u8(recipe.sampling ?? 0, INTERLEAVES.indexOf(recipe.interleave ?? 'pixel'), recipe.blockBytes ?? 0),
      u8(recipe.littleEndian ? 0x80 : 0),
      u32(recipe.pixelBytes ?? 0, recipe.rowAlign ?? 0, recipe.tileAlign ?? 0),
      u32((recipe.columns ?? 1) - 1, (recipe.rows ?? 1) - 1),
    ),
    ...(recipe.properties ?? []),
  ]
}

/** A HEIF file with one item. */
function heif(properties: Buffer[], samples: Uint8Array): string {
  const all = [fullBox('ispe', 0, 0, u32(WIDTH, HEIGHT)), ...properties]
  const associations = u8(all.length, ...all.map((_, index) => index + 1))
  const meta = (offset: number) =>
    fullBox(
      ...(['meta', 0, 0, handler('pict'), fullBox('pitm', 0, 0, u16(1))] as const),
      fullBox('iinf', 0, 0, u16(1), fullBox('infe', 2, 0, u16(1, 0), text('unci'), u8(0))),
      box('iprp', box('ipco', ...all), fullBox('ipma', 0, 0, u32(1), u16(1), associations)),
      fullBox('iloc', 0, 0, u8(0x44, 0), u16(1, 1, 0, 1), u32(offset, samples.length)),
    )
  const type = box('ftyp', text('mif1'), u32(0), text('mif1'))
  const start = type.length + meta(0).length + 8
  return files.write(Buffer.concat([type, meta(start), box('mdat', samples)]), 'heif')
}

async function decode(path: string) {
  const pixels = await decodeHeif(path)
  if (pixels === AVIF) throw new Error('AVIF')
  const data = pixels.data instanceof Uint16Array ? pixels.data.map(value => value >> 8) : pixels.data
  return { ...pixels, data: Uint8Array.from(data) }
}

const RANGE =
  'scale=in_range=pc:out_range=pc:in_color_matrix=bt601:out_color_matrix=bt601:flags=accurate_rnd+bilinear'

const FORMATS: [format: string, recipe: Recipe][] = [
  ['rgb24', { components: 'r g b' }],
  ['abgr', { components: 'a b g r' }],
  ['0rgb', { components: 'pad r g b' }],
  ['rgb48be', { components: 'r:16 g:16 b:16' }],
  ['rgb48le', { components: 'r:16 g:16 b:16', littleEndian: true }],
  ['rgb565be', { components: 'r:5 g:6 b:5' }],
  ['gbrp', { components: 'g b r', interleave: 'component' }],
  ['gbrap12be', { components: 'g:12:2 b:12:2 r:12:2 a:12:2', interleave: 'component' }],
  ['gbrp10le', { components: 'g:10:2 b:10:2 r:10:2', interleave: 'component', littleEndian: true }],
  ['gray', { components: 'grey' }],
  ['monob', { components: 'grey:1', interleave: 'component' }],
  ['ya16be', { components: 'grey:16 a:16' }],
  ['yuv444p', { components: 'y cb cr', interleave: 'component' }],
  ['yuv422p', { components: 'y cb cr', interleave: 'component', sampling: 1 }],
  ['yuv420p10be', { components: 'y:10:2 cb:10:2 cr:10:2', interleave: 'component', sampling: 2 }],
  ['yuv411p', { components: 'y cb cr', interleave: 'component', sampling: 3 }],
  ['nv12', { components: 'y cb cr', interleave: 'mixed', sampling: 2 }],
  ['nv21', { components: 'y cr cb', interleave: 'mixed', sampling: 2 }],
  ['uyvy422', { components: 'cb y cr y', interleave: 'multi-y', sampling: 1 }],
]

const PROFILES = [
  ['rgb3', 'rgb24'],
  ['rgba', 'rgba'],
  ['abgr', 'abgr'],
  ['2vuy', 'uyvy422'],
  ['yuv2', 'yuyv422'],
  ['yvyu', 'yvyu422'],
  ['nv12', 'nv12'],
  ['i420', 'yuv420p'],
] as const

describe('samples in the layout of a pixel format of ffmpeg', () => {
  const formats = [
    ...new Set([...FORMATS.map(([format]) => format), ...PROFILES.map(([, format]) => format)]),
  ]
  const raw = (format: string) => ['-f', 'rawvideo', '-pix_fmt', format]
  const stored = (format: string) => files.path(`${format}.raw`)
  const shown = (format: string) => files.path(`${format}.rgba`)
  const read = (format: string) => ({
    samples: readFileSync(stored(format)),
    rgba: readFileSync(shown(format)),
  })

  /** Compares with how ffmpeg shows the same samples. */
  async function difference(path: string, rgba: Buffer): Promise<number> {
    const { data, channels } = await decode(path)
    return psnr(data, channels === 4 ? rgba : rgba.filter((_, index) => index % 4 !== 3))
  }

  beforeAll(() => {
    const source = files.write(Buffer.from(picture.data), 'rgb')
    const filtered = (format: string) => ['-vf', RANGE, ...raw(format)]
    const ffmpeg = ['-v', 'error', '-y']
    const writing = formats.flatMap(format => [...filtered(format), stored(format)])
    tool('ffmpeg', ...ffmpeg, ...raw('rgb24'), ...SIZE, '-i', source, ...writing)
    const inputs = formats.flatMap(format => [...raw(format), ...SIZE, '-i', stored(format)])
    const reading = formats.flatMap((format, index) => [
      '-map',
      `${index}`,
      ...filtered('rgba'),
      shown(format),
    ])
    tool('ffmpeg', ...ffmpeg, ...inputs, ...reading)
  })

  it.each(FORMATS)('%s', async (format, recipe) => {
    const { samples, rgba } = read(format)
    // Programs differ in how they spread chroma.
    const least = /^(yuv|nv|uyvy)/.test(format) ? 33 : 48
    expect(await difference(heif(setup(recipe), samples), rgba)).toBeGreaterThan(least)
  })

  it.each(PROFILES)('%s, by the name of its profile', async (profile, format) => {
    const { samples, rgba } = read(format)
    expect(await difference(heif([fullBox('uncC', 1, 0, text(profile))], samples), rgba)).toBeGreaterThan(33)
  })
})

/** Samples of the picture, tile by tile, with rows and tiles that begin at multiples of some bytes. */
function inTiles(
  order: 'pixel' | 'row' | 'component' | 'tile-component',
  rowAlign: number,
  tileAlign: number,
) {
  const padded = (bytes: Buffer, to: number) =>
    Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])
  const rowOf = (tile: number, y: number, channels: number[]) => {
    const [left, top] = [(tile % 4) * 8, Math.floor(tile / 4) * 8]
    const pixels = Array.from({ length: 8 }, (_, x) => ((top + y) * WIDTH + left + x) * 3)
    return padded(
      Buffer.from(pixels.flatMap(at => channels.map(channel => picture.data[at + channel]!))),
      rowAlign,
    )
  }
  const [tiles, rows] = [Array.from({ length: 8 }, (_, tile) => tile), Array.from({ length: 8 }, (_, y) => y)]
  const tileOf = (...parts: Buffer[]) => padded(Buffer.concat(parts), tileAlign)
  const plane = (tile: number, channel: number) => rows.map(y => rowOf(tile, y, [channel]))
  return Buffer.concat(
    order === 'tile-component'
      ? [0, 1, 2].flatMap(channel => tiles.map(tile => tileOf(...plane(tile, channel))))
      : tiles.map(tile =>
          order === 'pixel'
            ? tileOf(...rows.map(y => rowOf(tile, y, [0, 1, 2])))
            : order === 'row'
              ? tileOf(...rows.flatMap(y => [0, 1, 2].map(channel => rowOf(tile, y, [channel]))))
              : tileOf(...[0, 1, 2].flatMap(channel => plane(tile, channel))),
        ),
  )
}

const TILED = { components: 'r g b', columns: 4, rows: 2 }

it.each(['pixel', 'row', 'component', 'tile-component'] as const)(
  'tiles interleaved by %s',
  async interleave => {
    for (const [rowAlign, tileAlign] of [
      [1, 1],
      [16, 128],
    ] as const) {
      const recipe = { ...TILED, interleave, rowAlign, tileAlign }
      expect((await decode(heif(setup(recipe), inTiles(interleave, rowAlign, tileAlign)))).data).toEqual(
        picture.data,
      )
    }
  },
)

it('pixels with padding', async () => {
  const samples = Buffer.alloc(WIDTH * HEIGHT * 5)
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++)
    samples.set(picture.data.subarray(pixel * 3, pixel * 3 + 3), pixel * 5)
  const path = heif(setup({ components: 'r g b', pixelBytes: 5 }), samples)
  expect((await decode(path)).data).toEqual(picture.data)
})

describe('compressed', () => {
  const compression = (type: string, unit: number) => fullBox('cmpC', 0, 0, text(type), u8(unit))

  it.each([
    ['defl', deflateRawSync],
    ['zlib', deflateSync],
    ['brot', brotliCompressSync],
  ] as const)('as a whole by %s', async (type, compress) => {
    const recipe = { components: 'r g b', properties: [compression(type, 1)] }
    const { data } = await decode(heif(setup(recipe), compress(picture.data)))
    expect(data).toEqual(picture.data)
  })

  it('tile by tile', async () => {
    const samples = inTiles('pixel', 1, 1)
    const tiles = Array.from({ length: 8 }, (_, tile) =>
      deflateSync(samples.subarray(tile * 192, (tile + 1) * 192)),
    )
    // Offsets follow from the sizes, which have two bytes.
    const units = fullBox('icef', 0, 0, u8(1 << 2), u32(8), u16(...tiles.map(({ length }) => length)))
    const recipe = { ...TILED, properties: [compression('zlib', 2), units] }
    expect((await decode(heif(setup(recipe), Buffer.concat(tiles)))).data).toEqual(picture.data)
  })

  it('far larger than the picture is refused', async () => {
    const recipe = { components: 'r g b', properties: [compression('zlib', 1)] }
    const path = heif(setup(recipe), deflateSync(Buffer.alloc(1_000_000)))
    await expect(decode(path)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })
})

describe('hostile', () => {
  it.each<[string, Recipe, string]>([
    ['missing samples', { components: 'r g b a' }, 'corrupt_input'],
    ['tiles that do not divide the picture', { components: 'r g b', columns: 5 }, 'corrupt_input'],
    ['billions of tiles', { components: 'r g b', columns: 2 ** 32, rows: 2 ** 32 }, 'corrupt_input'],
    ['rows of gigabytes', { components: 'r g b', rowAlign: 2 ** 32 - 1 }, 'too_large'],
    ['samples wider than their bytes', { components: 'r:12:1 g b' }, 'corrupt_input'],
    ['pixels smaller than their samples', { components: 'r g b', pixelBytes: 2 }, 'corrupt_input'],
    ['red alone', { components: 'r' }, 'unsupported_input'],
    ['depth', { components: 'depth' }, 'unsupported_input'],
    ['blocks', { components: 'r g b', blockBytes: 4 }, 'unsupported_input'],
    [
      'brightness once for two pixels',
      { components: 'cb y cr', interleave: 'multi-y', sampling: 1 },
      'corrupt_input',
    ],
  ])('%s', async (_, recipe, code) => {
    await expect(decode(heif(setup(recipe), picture.data))).rejects.toMatchObject({ code: `jobs.${code}` })
  })
})
