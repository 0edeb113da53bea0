/** Canon's CR3 for tests: boxes instead of the usual directories, and its own compression. */
import { box } from './fixtures/heif.ts'
import { u32 } from './fixtures/numbers.ts'
import type { Raster } from './fixtures/pixels.ts'
import { BITS, Bits, mosaic, type RawRecipe } from './fixtures/raw-sensor.ts'
import { camera, exposure, tiff } from './fixtures/raw-tiff.ts'

/**
 * A plane in the lossless compression of CR3: differences from a prediction by three neighbours, in Golomb-Rice codes
 * whose parameter adapts to the differences. Runs of equal samples are never used.
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

  // Each line has one extra sample before and after it.
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

/** Predicts from left, from top, or from left plus the change in the line above. */
function predict(left: number, top: number, corner: number): number {
  const falling = top < corner
  if (corner < left === falling) return left + top - corner
  return left < top === falling ? left : top
}

/** Canon's CR3: descriptions and tracks in boxes, and the sensor data as four losslessly compressed planes. */
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
