/** Raster pictures that claim huge sizes, unpack to huge sizes or loop. */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { chunk, header, SIGNATURE } from '../../service/convert/engines/pictures/formats/png.ts'
import { le16, le32, u8, u16, u32 } from '../fixtures/numbers.ts'
import { gifOf } from '../gif.ts'
import { type Attack, attacksOn, heavy, join8, patched } from './attack.ts'
import { inflatingZlib } from './bombs.ts'

const square = (format: 'avif' | 'gif' | 'jpeg' | 'png' | 'tiff' | 'webp', edge = 24): Promise<Buffer> =>
  sharp({ create: { width: edge, height: edge, channels: 3, background: '#274' } })
    .toFormat(format)
    .toBuffer()

const pngOf = (width: number, height: number, rows: Uint8Array, before: Buffer[] = [], depth = 1) =>
  join8(
    SIGNATURE,
    chunk('IHDR', header({ width, height, depth, colorType: 0 })),
    ...before,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND'),
  )
const smallPng = (...before: Buffer[]) => pngOf(8, 8, Buffer.alloc(16), before)
/** Compressed data that unpacks to 64 MiB of zeros. */
const bomb = () => inflatingZlib(64)

const png = attacksOn('png', {
  'a header of 2^31 by 2^31': () => pngOf(2 ** 31 - 1, 2 ** 31 - 1, Buffer.alloc(64)),
  'a valid picture of 900 megapixels': () => pngOf(30_000, 30_000, Buffer.alloc(3751 * 30_000)),
  'a picture without a width': () => pngOf(0, 8, Buffer.alloc(64)),
  'a colour profile that unpacks to 64 MiB': () => smallPng(chunk('iCCP', Buffer.from('icc\0\0'), bomb())),
  'texts that unpack to 64 MiB each': () =>
    smallPng(
      ...Array.from({ length: 8 }, (_, n) => chunk('zTXt', Buffer.from(`Comment ${n}\0\0`), bomb())),
      chunk('iTXt', Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), bomb()),
    ),
  'an animation of 2^31 frames': () => smallPng(chunk('acTL', u32(2 ** 31 - 1, 0))),
  'a chunk longer than the file': () => patched(smallPng(), 33, u32(2 ** 31 - 1)),
  'a hundred thousand empty pieces': () =>
    join8(
      SIGNATURE,
      chunk('IHDR', header({ width: 8, height: 8, depth: 1, colorType: 0 })),
      Buffer.concat(Array.from({ length: 100_000 }, () => chunk('IDAT'))),
      chunk('IDAT', deflateSync(Buffer.alloc(16))),
      chunk('IEND'),
    ),
  'EXIF whose directory leads to itself': () => smallPng(chunk('eXIf', loopingTiff())),
})

/** A directory that is its own successor and its own subdirectory. */
function loopingTiff(...tags: Buffer[]): Buffer {
  const all = [...tags, join8(le16(0x8769, 4), le32(1, 8)), join8(le16(0x014a, 4), le32(1, 8))]
  return join8('II', le16(42), le32(8), le16(all.length), ...all, le32(8))
}

const tag = (id: number, type: number, count: number, value: number) =>
  join8(le16(id, type), le32(count, value))
const tiffOf = (tags: readonly Buffer[], next = 0, data: Buffer = Buffer.alloc(64)) =>
  join8('II', le16(42), le32(8), le16(tags.length), ...tags, le32(next), data)
const dimensions = (width: number, height: number, bits = 8) => [
  tag(256, 4, 1, width),
  tag(257, 4, 1, height),
  tag(258, 3, 1, bits),
  tag(259, 3, 1, 1),
  tag(262, 3, 1, 1),
]

const tiff = attacksOn('tiff', {
  'pages that lead to one another endlessly': () =>
    tiffOf([...dimensions(4, 4), tag(273, 4, 1, 8), tag(278, 4, 1, 4), tag(279, 4, 1, 16)], 8),
  'a picture of 2^31 by 2^31': () => tiffOf([...dimensions(2 ** 31 - 1, 2 ** 31 - 1), tag(273, 4, 1, 8)]),
  'strips beyond the end of the file': () =>
    tiffOf([
      ...dimensions(64, 64),
      tag(273, 4, 1, 0xffff_fff0),
      tag(278, 4, 1, 64),
      tag(279, 4, 1, 0xffff_ffff),
    ]),
  'a billion strips': () =>
    tiffOf([
      ...dimensions(64, 64),
      tag(273, 4, 1_000_000_000, 8),
      tag(278, 4, 1, 1),
      tag(279, 4, 1_000_000_000, 8),
    ]),
  'tiles of 2^30 by 2^30': () =>
    tiffOf([
      ...dimensions(64, 64),
      tag(322, 4, 1, 2 ** 30),
      tag(323, 4, 1, 2 ** 30),
      tag(324, 4, 1, 8),
      tag(325, 4, 1, 64),
    ]),
  'deflate that unpacks to 400 MB': () => {
    const data = deflateSync(Buffer.alloc(100e6))
    const tags = [
      ...dimensions(20_000, 20_000).with(3, tag(259, 3, 1, 8)),
      tag(273, 4, 1, 8 + 2 + 8 * 12 + 4),
      tag(278, 4, 1, 20_000),
      tag(279, 4, 1, data.length),
    ]
    return tiffOf(tags, 0, data)
  },
  'subdirectories that hold themselves': () => loopingTiff(...dimensions(4, 4)),
  'twenty-five thousand pages': () => {
    const page = 2 + 8 * 12 + 4
    return join8(
      'II',
      le16(42),
      le32(8),
      ...Array.from({ length: 25_000 }, (_, n) =>
        join8(
          le16(8),
          ...dimensions(1, 1),
          tag(273, 4, 1, 8),
          tag(278, 4, 1, 1),
          tag(279, 4, 1, 1),
          le32(n === 24_999 ? 0 : 8 + (n + 1) * page),
        ),
      ),
    )
  },
})

const gif = attacksOn('gif', {
  'a screen of 65,535 by 65,535': () => patched(gifOf(4, 4, [frame()]), 6, le16(65_535, 65_535)),
  'a frame larger than its screen by far': () => {
    const bytes = gifOf(4, 4, [frame()])
    return patched(bytes, bytes.indexOf(0x2c, 25) + 5, le16(65_535, 65_535))
  },
  'thirty thousand frames': () => gifOf(400, 400, Array.from({ length: 30_000 }, frame)),
  'blocks without an end': () => join8(gifOf(4, 4, [frame()]).subarray(0, -2), Buffer.alloc(200_000, 1)),
})
function frame() {
  return { x: 0, y: 0, width: 4, height: 4, colour: 1, dispose: 0 }
}

const jpg = attacksOn('jpg', {
  'a header of 65,500 by 65,500': async () => withSize(await square('jpeg'), 65_500, 65_500),
  'five hundred progressive scans over nine megapixels': async () => {
    const blank = sharp({ create: { width: 3000, height: 3000, channels: 3, background: '#888' } })
    const bytes = withSize(await blank.jpeg({ progressive: true, quality: 10 }).toBuffer(), 3000, 3000)
    // The last scan refines the picture, and may be repeated any number of times.
    const last = bytes.subarray(bytes.lastIndexOf(Buffer.from('ffda', 'hex')), -2)
    const scan = last.length > 2000 ? last.subarray(0, 2000) : last
    return join8(bytes.subarray(0, -2), ...Array.from({ length: 500 }, () => scan), u8(0xff, 0xd9))
  },
  'EXIF whose directory leads to itself': async () =>
    withSegment(await square('jpeg'), 0xe1, join8('Exif\0\0', loopingTiff())),
  'a colour profile of 255 parts, of which each is the first': async () => {
    const part = join8('ICC_PROFILE\0', u8(1, 255), Buffer.alloc(60_000))
    let bytes = await square('jpeg')
    for (let n = 0; n < 40; n++) bytes = withSegment(bytes, 0xe2, part)
    return bytes
  },
  'a segment longer than the file': async () => patched(await square('jpeg'), 4, u16(65_535)),
})
function withSize(bytes: Buffer, width: number, height: number): Buffer {
  const at =
    [0xc0, 0xc2].map(marker => bytes.indexOf(Buffer.from([0xff, marker]))).find(found => found > 0) ?? 0
  return patched(bytes, at + 5, u16(height, width))
}
function withSegment(bytes: Buffer, marker: number, data: Buffer): Buffer {
  return join8(bytes.subarray(0, 2), u8(0xff, marker), u16(data.length + 2), data, bytes.subarray(2))
}

const webp = attacksOn('webp', {
  'a canvas of 16 million by 16 million': async () => {
    const still = (await square('webp')).subarray(12)
    const body = join8(
      'WEBPVP8X',
      le32(10),
      u8(2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
      join8('ANIM', le32(6), Buffer.alloc(6)),
      ...[0, 1].map(() => join8('ANMF', le32(16 + still.length), Buffer.alloc(16), still)),
    )
    return join8('RIFF', le32(body.length), body)
  },
  'a chunk longer than the file': async () => patched(await square('webp'), 16, le32(0xffff_fff0)),
})

const bmpOf = (width: number, height: number, { bits = 24, compression = 0, start = 54 } = {}) =>
  join8(
    'BM',
    le32(200, 0, start),
    le32(40, width, height),
    le16(1, bits),
    le32(compression, 0, 0, 0, 0xffff_ffff, 0),
    Buffer.alloc(200),
  )
const bmp = attacksOn('bmp', {
  'a picture of 2^31 by 2^31': () => bmpOf(2 ** 31 - 1, 2 ** 31 - 1),
  'the least height there is': () => bmpOf(16, -(2 ** 31)),
  'pixels beyond the end of the file': () => bmpOf(16, 16, { start: 0xffff_fff0 }),
  'runs of 30,000 by 30,000': () => bmpOf(30_000, 30_000, { bits: 8, compression: 1 }),
  'a palette of 2^32 colours': () => bmpOf(16, 16, { bits: 8 }),
})

const icon = (count: number, entry: Buffer, data: Uint8Array) => join8(le16(0, 1, count), entry, data)
const ico = attacksOn('ico', {
  'sixty-five thousand pictures that all lie in the same place': () =>
    icon(65_535, Buffer.concat(Array.from({ length: 65_535 }, () => iconEntry(100, 22))), smallPng()),
  'a picture beyond the end of the file': () => icon(1, iconEntry(0xffff_ffff, 0xffff_fff0), smallPng()),
  'a PNG of 2^31 by 2^31 in it': () =>
    icon(1, iconEntry(100, 22), pngOf(2 ** 31 - 1, 2 ** 31 - 1, Buffer.alloc(9))),
  'a bitmap of 2^31 by 2^31 in it': () =>
    icon(1, iconEntry(400, 22), join8(le32(40, 2 ** 31 - 1, 2 ** 31 - 1), le16(1, 32), Buffer.alloc(400))),
})
function iconEntry(bytes: number, at: number): Buffer {
  return join8(u8(16, 16, 0, 0), le16(1, 32), le32(bytes, at))
}

const psdHead = (width: number, height: number, { version = 1, channels = 3 } = {}) =>
  join8('8BPS', u16(version), Buffer.alloc(6), u16(channels), u32(height, width), u16(8, 3))
const psd = attacksOn('psd', {
  'a document of 30,000 by 30,000': () =>
    join8(psdHead(30_000, 30_000), u32(0, 0, 0), u16(1), Buffer.alloc(64)),
  'a large document of 300,000 by 300,000': () =>
    join8(psdHead(300_000, 300_000, { version: 2 }), u32(0, 0, 0, 0), u16(1), Buffer.alloc(64)),
  'thirty-two thousand layers': () =>
    join8(psdHead(16, 16), u32(0, 0, 100, 96), u16(32_767), Buffer.alloc(94), u16(0), Buffer.alloc(768)),
  'a layer of 2^31 by 2^31': () =>
    join8(
      psdHead(16, 16),
      u32(0, 0, 104, 100),
      u16(1),
      u32(-(2 ** 31), -(2 ** 31), 2 ** 31 - 1, 2 ** 31 - 1),
      u16(3),
      Buffer.alloc(80),
      u16(0),
      Buffer.alloc(768),
    ),
  'sections longer than the file': () => join8(psdHead(16, 16), u32(0xffff_ffff, 0xffff_ffff, 0xffff_ffff)),
  'no channels': () => join8(psdHead(16, 16, { channels: 0 }), u32(0, 0, 0), u16(0), Buffer.alloc(64)),
})

const sensor = {
  'a directory that leads to itself': () => loopingTiff(tag(271, 2, 6, 8), ...dimensions(64, 64, 16)),
  'a sensor of 2^30 by 2^30': () =>
    tiffOf([
      ...dimensions(2 ** 30, 2 ** 30, 16),
      tag(271, 2, 4, 8),
      tag(273, 4, 1, 8),
      tag(50706, 1, 4, 0x401),
    ]),
  'values beyond the end of the file': () =>
    tiffOf([
      tag(271, 2, 0x7fff_ffff, 0xffff_fff0),
      tag(273, 4, 0x3fff_ffff, 0xffff_fff0),
      tag(50706, 1, 4, 0x401),
    ]),
}
const cr2Head = (bytes: Buffer) => patched(bytes, 8, Buffer.from('CR\x02\0'))

export const pictureAttacks: Attack[] = heavy(
  [
    ...[png, tiff, gif, jpg, webp, bmp, ico, psd].flat(),
    ...attacksOn('raw', sensor, { suffix: 'dng' }),
    ...attacksOn('nef', sensor),
    ...attacksOn('cr2', {
      'its mark in the middle of a directory': () => cr2Head(sensor['a directory that leads to itself']()),
    }),
  ],
  'five hundred progressive scans over nine megapixels',
  'deflate that unpacks to 400 MB',
  'twenty-five thousand pages',
  'thirty thousand frames',
)
