/**
 * Camera RAW files for tests, of any size, from an ordinary picture: what a sensor behind a Bayer filter would record,
 * in the containers of several manufacturers.
 */
import type { Raster } from './pixels.ts'
import { BITS, Bits, mosaic, type RawRecipe, SENSITIVITY, WHITE } from './raw-sensor.ts'
import { ascii, camera, type Directory, exposure, type Tag, tiff } from './raw-tiff.ts'

const clz = (value: number) => 32 - Math.clz32(value)

/** Lossless JPEG (ITU-T T.81, annex H) of two interleaved components, predicted from the left. */
function losslessJpeg(samples: Uint16Array, width: number, height: number): Buffer {
  const categories = BITS + 1
  const head = Buffer.from([
    ...[0xff, 0xd8],
    // Every category of differences has its own number as its four-bit code.
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

interface Strip {
  width: number
  height: number
  /** Bits of each sample of a pixel. */
  bits: number[]
  /** 1 none, 6 and 7 JPEG. */
  compression: number
  photometric: number
  data: Uint8Array
}

const RGB = { bits: [8, 8, 8], compression: 1, photometric: 2 }

/** The tags of a picture in one strip, and its data. */
function strip({ width, height, bits, compression, photometric, data }: Strip, ...tags: Tag[]) {
  return {
    tags: [
      ...tags,
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, bits],
      [259, 3, [compression]],
      [262, 3, [photometric]],
      [277, 3, [bits.length]],
      [278, 4, [height]],
      [279, 4, [data.length]],
    ] as Tag[],
    data: [[273, Buffer.from(data)]] as [number, Buffer][],
  }
}

/** The sensor data: `subfile` 0, the main picture, behind an RGGB filter. */
const sensor = ({ width, height }: Raster, compression: number, data: Buffer, ...tags: Tag[]): Directory =>
  strip(
    { width, height, bits: [16], compression, photometric: 32803, data },
    [254, 4, [0]],
    [33421, 3, [2, 2]],
    [33422, 1, [0, 1, 1, 2]],
    ...tags,
  )

/** Adobe's DNG, with the camera's white balance and the sRGB matrix as the sensor's. */
export function makeDng(picture: Raster, { preview, orientation }: RawRecipe): Buffer {
  const { width, height } = picture
  const raw = sensor(picture, 7, losslessJpeg(mosaic(picture), width, height), [50717, 4, [WHITE]])
  const jpeg = { width, height, bits: RGB.bits, compression: 7, photometric: 6, data: preview }
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
      [330, [raw, strip(jpeg, [254, 4, [1]])]],
      [34665, [exposure]],
    ],
  }
  return tiff([main]).bytes
}

/** Canon's CR2: preview, thumbnail, a small RGB picture, and the sensor's data as lossless JPEG. */
export function makeCr2(picture: Raster, { preview, orientation }: RawRecipe): Buffer {
  const { width, height } = picture
  const data = losslessJpeg(mosaic(picture), width, height)
  const small = { ...RGB, width: 48, height: 32, data: Buffer.alloc(48 * 32 * 3, 128) }
  const jpeg = { width, height, bits: RGB.bits, compression: 6, photometric: 6, data: preview }
  const { bytes, last } = tiff(
    [
      {
        ...strip(jpeg, ...camera('Canon', 'Canon EOS 5D Mark II', orientation)),
        below: [[34665, [exposure]]],
      },
      { tags: [[514, 4, [preview.length]]], data: [[513, Buffer.from(preview)]] },
      strip(small),
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

/** Nikon's NEF: the thumbnail first, with the preview and the uncompressed sensor data in subdirectories. */
export function makeNef(picture: Raster, { preview, orientation }: RawRecipe): Buffer {
  const samples = mosaic(picture)
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const thumbnail = { ...RGB, width: 160, height: 120, data: Buffer.alloc(160 * 120 * 3, 128) }
  const shown: Directory = {
    tags: [
      [254, 4, [1]],
      [259, 3, [6]],
      [514, 4, [preview.length]],
    ],
    data: [[513, Buffer.from(preview)]],
  }
  const described = strip(
    thumbnail,
    ...camera('NIKON CORPORATION', 'NIKON D700', orientation),
    [254, 4, [1]],
    [306, 2, ascii('2026:01:02 03:04:05')],
  )
  return tiff([{ ...described, below: [[330, [shown, sensor(picture, 1, data)]]] }]).bytes
}
