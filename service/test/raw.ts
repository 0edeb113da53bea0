/**
 * Camera RAW files for tests, of any size, from an ordinary picture: what a sensor behind a Bayer filter would have
 * seen of it, in the containers of several makers. Sensor data is RGGB, 14 bits.
 */
import { box } from './heif.ts'
import type { Raster } from './pixels.ts'

const BITS = 14
/** What a white surface under the light of the scene gives. */
const WHITE = 16_000
/** How sensitive the sensor is to red, green and blue. */
const SENSITIVITY = [0.5, 1, 0.65]

export interface RawRecipe {
  /** JPEG to embed. */
  preview: Uint8Array
  /** EXIF orientation. */
  orientation?: number
}

/** One sample per pixel in the order red, green / green, blue. Width and height are even. */
export function mosaic({ width, height, data }: Raster): Uint16Array {
  const linear = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** 2.2)
  return Uint16Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)]
    const colour = (x & 1) + (y & 1)
    return Math.round(linear[data[index * 3 + colour]!]! * SENSITIVITY[colour]! * WHITE)
  })
}

const clz = (value: number) => 32 - Math.clz32(value)

/** Collects bits, the highest first. */
class Bits {
  readonly bytes: number[] = []
  #byte = 0
  #count = 0
  readonly #stuffing: boolean

  /** With `stuffing` a zero follows each byte of ones, as JPEG wants it. */
  constructor(stuffing = false) {
    this.#stuffing = stuffing
  }

  put(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#byte = (this.#byte << 1) | ((value >>> bit) & 1)
      if (++this.#count < 8) continue
      this.bytes.push(this.#byte)
      if (this.#stuffing && this.#byte === 0xff) this.bytes.push(0)
      this.#byte = this.#count = 0
    }
  }

  end(fill: 0 | 1): Buffer {
    while (this.#count > 0) this.put(fill, 1)
    return Buffer.from(this.bytes)
  }
}

/** Lossless JPEG (ITU-T T.81, annex H) of two interleaved components, predicted from the left. */
function losslessJpeg(samples: Uint16Array, width: number, height: number): Buffer {
  const categories = BITS + 1
  const head = Buffer.from([
    ...[0xff, 0xd8],
    // Every category of differences has its own number as its code of four bits.
    ...[0xff, 0xc4, 0, 19 + categories, 0, 0, 0, 0, categories, ...Array<number>(12).fill(0)],
    ...Array.from({ length: categories }, (_, category) => category),
    ...[0xff, 0xc3, 0, 14, BITS, height >> 8, height & 255, width >> 9, (width >> 1) & 255, 2],
    ...[1, 0x11, 0, 2, 0x11, 0],
    ...[0xff, 0xda, 0, 10, 2, 1, 0, 2, 0, 1, 0, 0],
  ])
  const bits = new Bits(true)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const predicted = x > 1 ? samples[at - 2]! : y > 0 ? samples[at - width]! : 1 << (BITS - 1)
      const difference = samples[at]! - predicted
      const category = clz(Math.abs(difference))
      bits.put(category, 4)
      bits.put(difference < 0 ? difference + (1 << category) - 1 : difference, category)
    }
  }
  return Buffer.concat([head, bits.end(1), Buffer.from([0xff, 0xd9])])
}

type Tag = [tag: number, type: number, values: number[] | Buffer]

interface Directory {
  tags: Tag[]
  /** Data with the tag that says where it is. */
  data?: [tag: number, bytes: Buffer][]
  /** Directories below, with the tags that point to them. */
  below?: [tag: number, directories: Directory[]][]
}

const ascii = (text: string) => Buffer.from(`${text}\0`)
const SIZES: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8 }

interface Placed {
  bytes: Buffer
  at: number
}

/** A little-endian TIFF file of directories that follow each other, and where the last of them is. */
function tiff(directories: Directory[], head = 8): { bytes: Buffer; last: number } {
  const chunks: Buffer[] = [Buffer.alloc(head)]
  let end = head
  const place = (bytes: Buffer) => {
    if (end & 1) end += chunks.push(Buffer.alloc(1)) && 1
    chunks.push(bytes)
    end += bytes.length
    return end - bytes.length
  }
  const encoded = ([, type, values]: Tag): { bytes: Buffer; count: number } => {
    if (Buffer.isBuffer(values)) return { bytes: values, count: values.length }
    const width = Math.min(4, SIZES[type]!)
    const bytes = Buffer.alloc(values.length * width)
    for (const [index, value] of values.entries()) {
      if (type === 10) bytes.writeInt32LE(value, index * 4)
      else bytes.writeUIntLE(value, index * width, width)
    }
    return { bytes, count: bytes.length / SIZES[type]! }
  }
  const write = ({ tags, data = [], below = [] }: Directory): Placed => {
    // The directory comes before what it points to, because some containers want it right behind the header.
    const bytes = Buffer.alloc(6 + 12 * (tags.length + data.length + below.length))
    const at = place(bytes)
    const all = [...tags]
    for (const [tag, content] of data) all.push([tag, 4, [place(content)]])
    for (const [tag, inner] of below) all.push([tag, 4, inner.map(directory => write(directory).at)])
    all.sort((a, b) => a[0] - b[0])
    bytes.writeUInt16LE(all.length)
    for (const [index, tag] of all.entries()) {
      const entry = 2 + 12 * index
      const value = encoded(tag)
      bytes.writeUInt16LE(tag[0], entry)
      bytes.writeUInt16LE(tag[1], entry + 2)
      bytes.writeUInt32LE(value.count, entry + 4)
      if (value.bytes.length <= 4) value.bytes.copy(bytes, entry + 8)
      else bytes.writeUInt32LE(place(value.bytes), entry + 8)
    }
    return { bytes, at }
  }
  const written = directories.map(write)
  for (const [index, { bytes }] of written.entries())
    bytes.writeUInt32LE(written[index + 1]?.at ?? 0, bytes.length - 4)
  chunks[0]!.write('II*\0', 'latin1')
  chunks[0]!.writeUInt32LE(written[0]!.at, 4)
  return { bytes: Buffer.concat(chunks), last: written.at(-1)!.at }
}

const exposure: Directory = {
  tags: [
    [0x829a, 5, [1, 125]],
    [0x829d, 5, [56, 10]],
    [0x8827, 3, [200]],
    [0x9003, 2, ascii('2026:01:02 03:04:05')],
    [0x920a, 5, [50, 1]],
  ],
}

const camera = (make: string, model: string, orientation = 1): Tag[] => [
  [0x010f, 2, ascii(make)],
  [0x0110, 2, ascii(model)],
  [0x0112, 3, [orientation]],
]

const bytesOf = (samples: Uint16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)

/** Adobe's DNG, with the camera's white balance and the matrix of sRGB as the sensor's. */
export function makeDng(picture: Raster, { preview, orientation }: RawRecipe): Buffer {
  const { width, height } = picture
  const data = losslessJpeg(mosaic(picture), width, height)
  const raw: Directory = {
    tags: [
      [254, 4, [0]],
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, [16]],
      [259, 3, [7]],
      [262, 3, [32803]],
      [277, 3, [1]],
      [278, 4, [height]],
      [279, 4, [data.length]],
      [33421, 3, [2, 2]],
      [33422, 1, [0, 1, 1, 2]],
      [50717, 4, [WHITE]],
    ],
    data: [[273, data]],
  }
  const shown: Directory = {
    tags: [
      [254, 4, [1]],
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, [8, 8, 8]],
      [259, 3, [7]],
      [262, 3, [6]],
      [277, 3, [3]],
      [278, 4, [height]],
      [279, 4, [preview.length]],
    ],
    data: [[273, Buffer.from(preview)]],
  }
  const main: Directory = {
    tags: [
      ...camera('Maker', 'Synthetic One', orientation),
      [50706, 1, [1, 4, 0, 0]],
      [50707, 1, [1, 1, 0, 0]],
      [50708, 2, ascii('Maker Synthetic One')],
      // XYZ to linear sRGB, IEC 61966-2-1.
      [
        50721,
        10,
        [
          [32406, -15372, -4986],
          [-9689, 18758, 415],
          [557, -2040, 10570],
        ].flatMap(row => row.flatMap(value => [value, 10_000])),
      ],
      [50728, 5, SENSITIVITY.flatMap(value => [value * 100, 100])],
      [50778, 3, [21]],
    ],
    below: [
      [330, [raw, shown]],
      [34665, [exposure]],
    ],
  }
  return tiff([main]).bytes
}

/** Canon's CR2: preview, thumbnail, a small RGB picture, and the sensor's data as lossless JPEG. */
export function makeCr2(picture: Raster, { preview, orientation }: RawRecipe): Buffer {
  const { width, height } = picture
  const data = losslessJpeg(mosaic(picture), width, height)
  const rgb = Buffer.alloc(48 * 32 * 3, 128)
  const { bytes, last } = tiff(
    [
      {
        tags: [
          ...camera('Canon', 'Canon EOS 5D Mark II', orientation),
          [256, 3, [width]],
          [257, 3, [height]],
          [258, 3, [8, 8, 8]],
          [259, 3, [6]],
          [279, 4, [preview.length]],
        ],
        data: [[273, Buffer.from(preview)]],
        below: [[34665, [exposure]]],
      },
      { tags: [[514, 4, [preview.length]]], data: [[513, Buffer.from(preview)]] },
      {
        tags: [
          [256, 3, [48]],
          [257, 3, [32]],
          [258, 3, [8, 8, 8]],
          [259, 3, [1]],
          [262, 3, [2]],
          [277, 3, [3]],
          [278, 3, [32]],
          [279, 4, [rgb.length]],
        ],
        data: [[273, rgb]],
      },
      {
        tags: [
          [259, 3, [6]],
          [279, 4, [data.length]],
          [0xc5d8, 4, [1]],
          [0xc5e0, 4, [1]],
          [0xc640, 3, [0, 0, width]],
        ],
        data: [[273, data]],
      },
    ],
    16,
  )
  bytes.write('CR\x02\0', 8, 'latin1')
  bytes.writeUInt32LE(last, 12)
  return bytes
}

/** Nikon's NEF: a thumbnail first, with the preview and the uncompressed sensor data below it. */
export function makeNef(picture: Raster, { preview, orientation }: RawRecipe): Buffer {
  const { width, height } = picture
  const data = bytesOf(mosaic(picture))
  const rgb = Buffer.alloc(160 * 120 * 3, 128)
  return tiff([
    {
      tags: [
        ...camera('NIKON CORPORATION', 'NIKON D700', orientation),
        [254, 4, [1]],
        [256, 4, [160]],
        [257, 4, [120]],
        [258, 3, [8, 8, 8]],
        [259, 3, [1]],
        [262, 3, [2]],
        [277, 3, [3]],
        [278, 4, [120]],
        [279, 4, [rgb.length]],
        [306, 2, ascii('2026:01:02 03:04:05')],
      ],
      data: [[273, rgb]],
      below: [
        [
          330,
          [
            {
              tags: [
                [254, 4, [1]],
                [259, 3, [6]],
                [514, 4, [preview.length]],
              ],
              data: [[513, Buffer.from(preview)]],
            },
            {
              tags: [
                [254, 4, [0]],
                [256, 4, [width]],
                [257, 4, [height]],
                [258, 3, [16]],
                [259, 3, [1]],
                [262, 3, [32803]],
                [277, 3, [1]],
                [278, 4, [height]],
                [279, 4, [data.length]],
                [33421, 3, [2, 2]],
                [33422, 1, [0, 1, 1, 2]],
              ],
              data: [[273, data]],
            },
          ],
        ],
      ],
    },
  ]).bytes
}

/**
 * A plane in the lossless coding of CR3: differences from a prediction by three neighbours, in Golomb-Rice codes
 * whose parameter follows the differences. Runs of equal samples are never used.
 */
function crxPlane(samples: Int32Array, width: number, height: number): Buffer {
  const bits = new Bits()
  let parameter = 0
  const code = (difference: number): number => {
    const value = difference < 0 ? -2 * difference - 1 : 2 * difference
    const high = value >> parameter
    if (high < 41) {
      bits.put(0, high)
      bits.put(1, 1)
      bits.put(value, parameter)
    } else {
      bits.put(0, 41)
      bits.put(1, 1)
      bits.put(value, 21)
    }
    return value
  }
  const adapt = (value: number) => {
    const scaled = value >> parameter
    parameter += Number(scaled > 2) + Number(scaled > 5) - Number(value < (1 << parameter) >> 1)
    parameter = Math.min(15, parameter)
  }

  // Each line with one sample before and one behind it.
  let above = new Int32Array(width + 2)
  for (let y = 0; y < height; y++) {
    const line = new Int32Array(width + 2)
    line.set(samples.subarray(y * width, (y + 1) * width), 1)
    line[0] = y === 0 ? 0 : above[1]!
    line[width + 1] = line[width]! + 1
    for (let x = 0; x < width; x++) {
      const [left, top] = [line[x]!, above[x + 1]!]
      const last = x === width - 1
      if (y === 0) {
        if (left === 0 && !last) bits.put(0, 1)
        adapt(code(line[x + 1]! - left))
        continue
      }
      const flat = !last && left === top && left === above[x + 2]
      if (flat) bits.put(0, 1)
      const value = code(line[x + 1]! - (flat ? top : predict(left, top, above[x]!)))
      adapt(last ? value : (value + 2 * Math.abs(above[x + 2]! - top)) >> 1)
    }
    above = line
  }
  const coded = bits.end(0)
  return Buffer.concat([coded, Buffer.alloc(8 + (-coded.length & 3))])
}

/** One of left, top, and left changed as the line above changes. */
function predict(left: number, top: number, corner: number): number {
  const falling = top < corner
  if (corner < left === falling) return left + top - corner
  return left < top === falling ? left : top
}

const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** Canon's CR3: descriptions and tracks in boxes, and the sensor's data as four losslessly coded planes. */
export function makeCr3(picture: Raster, { preview, orientation }: RawRecipe): Buffer {
  const { width, height } = picture
  const samples = mosaic(picture)
  const [planeWidth, planeHeight] = [width / 2, height / 2]
  const planes = [0, 1, 2, 3].map(plane => {
    const own = new Int32Array(planeWidth * planeHeight)
    for (let y = 0; y < planeHeight; y++) {
      for (let x = 0; x < planeWidth; x++) {
        own[y * planeWidth + x] =
          samples[(2 * y + (plane >> 1)) * width + 2 * x + (plane & 1)]! - (1 << (BITS - 1))
      }
    }
    return crxPlane(own, planeWidth, planeHeight)
  })
  const size = planes.reduce((sum, plane) => sum + plane.length, 0)
  const headers = Buffer.concat([
    u32(0xff010008, size, 0),
    ...planes.flatMap((plane, index) => [
      u32(0xff020008, plane.length, (index << 28) | 0x08000000),
      u32(0xff030008, plane.length, 0),
    ]),
  ])
  const media = Buffer.concat([headers, ...planes])

  const setup = Buffer.concat([
    u32(0xffff0030, 0x01000000, width, height, width, height),
    Buffer.from([BITS, 0x40, 0, 0]),
    u32(headers.length),
    Buffer.alloc(24),
  ])
  const entry = box('CRAW', Buffer.alloc(82), box('CMP1', setup))
  const ftyp = box('ftyp', 'crx ', u32(1), 'crx isom')
  const canon = Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex')
  const main = tiff([{ tags: camera('Canon', 'Canon EOS R', orientation) }]).bytes
  const moov = (offset: number) =>
    box(
      'moov',
      box(
        'uuid',
        canon,
        box('CNCV', 'CanonCR3_001/00.09.00/00.00.00'),
        box('CMT1', main),
        box('CMT2', tiff([exposure]).bytes),
        box('THMB', u32(0), Buffer.from([0, 160, 0, 120]), u32(preview.length, 0x00010000), preview),
      ),
      box(
        'trak',
        box(
          'mdia',
          box('hdlr', u32(0, 0), 'vide', u32(0, 0, 0)),
          box(
            'minf',
            box(
              'stbl',
              box('stsd', u32(0, 1), entry),
              box('stsc', u32(0, 1, 1, 1, 1)),
              box('stsz', u32(0, media.length, 1)),
              box('co64', u32(0, 1, 0, offset)),
            ),
          ),
        ),
      ),
    )
  const head = ftyp.length + moov(0).length
  return Buffer.concat([ftyp, moov(head + 8), box('mdat', media)])
}
