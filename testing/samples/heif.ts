/**
 * HEIC files for tests: HEVC from the system's x265 encoder, wrapped in boxes by the tests' own writer (ISO/IEC
 * 23008-12), so that every property a camera may use can be produced.
 */
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { made } from './cache.ts'
import type { Raster } from './pixels.ts'
import { output } from './programs.ts'

export interface HeicRecipe {
  width: number
  height: number
  /** RGB, 8 bits, rows from the top. */
  rgb: Uint8Array
  /** Edge of square tiles; without it the picture is a single item. */
  tile?: number
  /** Sampling and depth as ffmpeg names them. */
  pixelFormat?: string
  /** Colour code points written into the file; by default BT.601, full range, sRGB. */
  nclx?: { primaries: number; transfer: number; matrix: number; fullRange: boolean } | null
  /** Name of the matrix the encoder uses, which `nclx` should agree with. */
  matrix?: string
  range?: 'full' | 'limited'
  icc?: Uint8Array
  /** One byte a pixel. */
  alpha?: Uint8Array
  /** Item properties after the others, such as `irot`, `imir`, `clap` boxes. */
  transforms?: Uint8Array[]
  /** Apple's map of what is brighter on HDR screens, one byte a pixel, with the headroom that its own metadata state. */
  gainMap?: { pixels: Uint8Array; headroom?: number }
  exif?: Uint8Array
  /** Brands of the file. */
  brands?: string
  xmp?: string
  /** Where the description of a grid is stored: in `idat`, the file, or another item. */
  gridIn?: 'idat' | 'file' | 'item'
  /** Item type of the primary picture, to claim a coding it does not have. */
  coding?: string
  x265?: string
}

const u8 = (...values: number[]) => Buffer.from(values)
const u16 = (...values: number[]) => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index)
  return bytes
}
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value | 0, 4 * index)
  return bytes
}

/** A box of this type around its parts. */
export function box(type: string, ...parts: (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body])
}

const fullBox = (type: string, version: number, flags: number, ...parts: (Uint8Array | string)[]) =>
  box(type, u32((version << 24) | flags), ...parts)

/** Anticlockwise rotation in quarter turns. */
export const irot = (quarters: number) => box('irot', u8(quarters))
/** 0 swaps top and bottom, 1 left and right. */
export const imir = (axis: number) => box('imir', u8(axis))
/** Width and height shown, and offsets of the centre in halves of a pixel. */
export const clap = (width: number, height: number, halfX = 0, halfY = 0) =>
  box('clap', u32(width, 1, height, 1, halfX, 2, halfY, 2))

interface Coded {
  setup: Buffer
  /** Coded pictures with lengths before their units. */
  pictures: Buffer[]
}

/** Encodes frames of equal size as independent pictures. */
function encode(
  frames: Uint8Array[],
  width: number,
  height: number,
  input: string,
  { pixelFormat = 'yuv420p', matrix = 'bt601', range = 'full', x265 = 'crf=8' }: Partial<HeicRecipe>,
): Coded {
  const raw = Buffer.concat(frames)
  const args = [
    ...['-v', 'error', '-f', 'rawvideo', '-pix_fmt', input, '-s', `${width}x${height}`, '-i', '-'],
    '-vf',
    `scale=out_color_matrix=${matrix}:out_range=${range}:flags=bicubic+accurate_rnd+full_chroma_int`,
    ...['-pix_fmt', pixelFormat, '-c:v', 'libx265', '-preset', 'ultrafast'],
    ...['-x265-params', `log-level=none:keyint=1:info=0:pools=1:frame-threads=1:range=${range}:${x265}`],
    ...['-f', 'hevc'],
  ]
  // Many files differ in what is around the same coded picture.
  const folder = mkdtempSync(join(tmpdir(), 'refile-hevc-'))
  const coded = made(join(folder, 'a.hevc'), 'ffmpeg', [...args, hash('sha1', raw)], () => {
    output('ffmpeg', [...args, join(folder, 'a.hevc')], { input: raw })
  })
  const stream = readFileSync(coded)
  rmSync(folder, { recursive: true })
  const parameters = new Map<number, Buffer>()
  const pictures: Buffer[][] = []
  for (const unit of unitsOf(stream)) {
    const type = (unit[0]! >> 1) & 63
    if (type >= 32 && type <= 34) parameters.set(type, unit)
    if (type >= 32) continue
    if (unit[2]! & 0x80) pictures.push([])
    pictures.at(-1)!.push(u32(unit.length), unit)
  }
  const [chroma, depth] = [
    pixelFormat.startsWith('gray') ? 0 : Number(/yuv4(\d)\d/.exec(pixelFormat)?.[1]) === 4 ? 3 : 0,
    pixelFormat.includes('10') ? 2 : 0,
  ]
  const sampling = chroma || (pixelFormat.startsWith('yuv420') ? 1 : pixelFormat.startsWith('yuv422') ? 2 : 0)
  // Profile, tier and level are at the start of the sequence parameters, after two bytes and one more.
  const profile = unescaped(parameters.get(33)!).subarray(3, 15)
  const setup = box(
    'hvcC',
    u8(1),
    profile,
    u16(0xf000),
    u8(0xfc, 0xfc | sampling, 0xf8 | depth, 0xf8 | depth, 0, 0, 0x0f, parameters.size),
    ...[...parameters].flatMap(([type, unit]) => [u8(0x80 | type), u16(1, unit.length), unit]),
  )
  return { setup, pictures: pictures.map(parts => Buffer.concat(parts)) }
}

function* unitsOf(stream: Buffer): Generator<Buffer> {
  let start = stream.indexOf('000001', 0, 'hex')
  while (start >= 0) {
    const next = stream.indexOf('000001', start + 3, 'hex')
    let end = next < 0 ? stream.length : next
    while (next >= 0 && stream[end - 1] === 0) end--
    yield stream.subarray(start + 3, end)
    start = next
  }
}

/** Removes the bytes that prevent start codes from appearing in a unit. */
const unescaped = (unit: Buffer) =>
  Buffer.from(unit.toString('hex').replace(/((?:..)*?)000003/g, '$10000'), 'hex')

interface Entry {
  type: string
  data: Buffer
  properties: number[]
  hidden?: boolean
  mime?: string
  method?: number
}

function makeHeic(recipe: HeicRecipe): Buffer {
  const { width, height, rgb, tile, alpha, icc, exif, xmp, transforms = [], gridIn = 'idat' } = recipe
  const properties: Buffer[] = []
  const property = (bytes: Buffer) => properties.push(bytes)
  const items: Entry[] = []
  const add = (entry: Entry) => items.push(entry)
  const references: Buffer[] = []
  const refer = (type: string, from: number, ...to: number[]) =>
    references.push(box(type, u16(from, to.length, ...to)))
  const ispe = (w: number, h: number) => property(fullBox('ispe', 0, 0, u32(w, h)))

  const nclx =
    recipe.nclx === undefined ? { primaries: 1, transfer: 13, matrix: 6, fullRange: true } : recipe.nclx
  const colours: number[] = []
  if (nclx) {
    const { primaries, transfer, matrix, fullRange } = nclx
    colours.push(property(box('colr', 'nclx', u16(primaries, transfer, matrix), u8(fullRange ? 0x80 : 0))))
  }
  if (icc) colours.push(property(box('colr', 'prof', icc)))

  const columns = tile ? Math.ceil(width / tile) : 1
  const rows = tile ? Math.ceil(height / tile) : 1
  const [tileWidth, tileHeight] = tile ? [tile, tile] : [width, height]
  const cut = (pixels: Uint8Array, channels: number) =>
    Array.from({ length: columns * rows }, (_, index) =>
      part(
        pixels,
        width,
        height,
        channels,
        (index % columns) * tileWidth,
        Math.floor(index / columns) * tileHeight,
        tileWidth,
        tileHeight,
      ),
    )

  const coded = encode(cut(rgb, 3), tileWidth, tileHeight, 'rgb24', recipe)
  const tileProperties = [property(coded.setup), ispe(tileWidth, tileHeight)]
  const turned = transforms.map(transform => property(Buffer.from(transform)))
  let primary: number
  if (tile) {
    const ids = coded.pictures.map(data =>
      add({ type: 'hvc1', data, properties: tileProperties, hidden: true }),
    )
    const grid = Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width, height)])
    const method = { idat: 1, file: 0, item: 2 }[gridIn]
    primary = add({
      type: 'grid',
      data: grid,
      properties: [ispe(width, height), ...colours, ...turned],
      method,
    })
    refer('dimg', primary, ...ids)
    if (gridIn === 'item')
      refer('iloc', primary, add({ type: 'mime', mime: 'x', data: grid, properties: [] }))
  } else {
    const type = recipe.coding ?? 'hvc1'
    primary = add({ type, data: coded.pictures[0]!, properties: [...tileProperties, ...colours, ...turned] })
  }
  const auxiliary = (pixels: Uint8Array, kind: string) => {
    const { setup, pictures } = encode([pixels], width, height, 'gray', { pixelFormat: 'gray' })
    const auxC = property(fullBox('auxC', 0, 0, `${kind}\0`))
    const id = add({
      type: 'hvc1',
      data: pictures[0]!,
      properties: [property(setup), ispe(width, height), auxC, ...turned],
      hidden: true,
    })
    refer('auxl', id, primary)
    return id
  }
  if (alpha) auxiliary(alpha, 'urn:mpeg:hevc:2015:auxid:1')
  const map = recipe.gainMap && auxiliary(recipe.gainMap.pixels, 'urn:com:apple:photo:2020:aux:hdrgainmap')
  if (map && recipe.gainMap?.headroom) {
    const data = Buffer.from(
      `<HDRGainMap:HDRGainMapHeadroom>${recipe.gainMap.headroom}</HDRGainMap:HDRGainMapHeadroom>`,
    )
    refer('cdsc', add({ type: 'mime', mime: 'application/rdf+xml', data, properties: [], hidden: true }), map)
  }
  if (exif)
    refer(
      'cdsc',
      add({
        type: 'Exif',
        data: Buffer.concat([u32(6), Buffer.from('Exif\0\0'), exif]),
        properties: [],
        hidden: true,
      }),
      primary,
    )
  if (xmp)
    refer(
      'cdsc',
      add({
        type: 'mime',
        mime: 'application/rdf+xml',
        data: Buffer.from(xmp),
        properties: [],
        hidden: true,
      }),
      primary,
    )
  return assemble(items, properties, references, primary, recipe.brands)
}

/** Makes the file of a raster. */
export const heicOf = ({ data, width, height }: Raster, recipe: Partial<HeicRecipe> = {}): Buffer =>
  makeHeic({ width, height, rgb: data, ...recipe })

function part(
  pixels: Uint8Array,
  width: number,
  height: number,
  channels: number,
  left: number,
  top: number,
  w: number,
  h: number,
): Uint8Array {
  const out = new Uint8Array(w * h * channels)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const from = (Math.min(height - 1, top + y) * width + Math.min(width - 1, left + x)) * channels
      for (let c = 0; c < channels; c++) out[(y * w + x) * channels + c] = pixels[from + c]!
    }
  }
  return out
}

function assemble(
  items: Entry[],
  properties: Buffer[],
  references: Buffer[],
  primary: number,
  brands = 'mif1heic',
): Buffer {
  const ftyp = box('ftyp', 'heic', u32(0), brands)
  const idat = Buffer.concat(items.filter(item => item.method === 1).map(({ data }) => data))
  const indexed = items.some(item => item.method === 2)
  const meta = (start: number) => {
    let [inFile, inIdat] = [start, 0]
    const locations = items.map(({ data, method = 0 }, index) => {
      const offset = method === 0 ? inFile : method === 1 ? inIdat : 0
      if (method === 0) inFile += data.length
      else if (method === 1) inIdat += data.length
      return Buffer.concat(
        [
          u16(index + 1, method, 0, 1),
          indexed ? u32(method === 2 ? 1 : 0) : '',
          u32(offset, data.length),
        ].map(part => Buffer.from(part)),
      )
    })
    return fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, u32(0), 'pict', u32(0, 0, 0), '\0'),
      fullBox('pitm', 0, 0, u16(primary)),
      fullBox('iloc', 1, 0, u8(0x44, indexed ? 0x04 : 0), u16(items.length), ...locations),
      fullBox(
        'iinf',
        0,
        0,
        u16(items.length),
        ...items.map(({ type, hidden, mime }, index) =>
          fullBox('infe', 2, hidden ? 1 : 0, u16(index + 1, 0), type, '\0', mime ? `${mime}\0` : ''),
        ),
      ),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox(
          'ipma',
          0,
          0,
          u32(items.filter(item => item.properties.length > 0).length),
          ...items.flatMap((item, index) =>
            item.properties.length > 0
              ? [u16(index + 1), u8(item.properties.length, ...item.properties.map(id => 0x80 | id))]
              : [],
          ),
        ),
      ),
      ...(references.length > 0 ? [fullBox('iref', 0, 0, ...references)] : []),
      ...(idat.length > 0 ? [box('idat', idat)] : []),
    )
  }
  const head = ftyp.length + meta(0).length + 8
  const media = box('mdat', ...items.filter(item => !item.method).map(({ data }) => data))
  return Buffer.concat([ftyp, meta(head), media])
}
