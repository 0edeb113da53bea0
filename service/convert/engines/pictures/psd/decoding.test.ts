import { describe, expect, test } from 'vitest'
import { psd } from '../../../../../testing/psd.ts'
import { base, COUNT, compressions, interleave, plane, scaled } from '../../../../../testing/psd-planes.ts'
import { readPsd } from './index.ts'

describe('depths and compressions', () => {
  const cases = ([8, 16, 32] as const).flatMap(depth =>
    compressions.flatMap(compression => [false, true].map(large => ({ depth, compression, large }))),
  )
  test.each(cases)(
    'RGB of $depth bits, $compression, large $large',
    async ({ depth, compression, large }) => {
      const planes = [0, 1, 2].map(channel => scaled(plane(channel), depth))
      const pixels = await readPsd(psd({ ...base, mode: 'rgb', depth, compression, large, planes }))
      expect(pixels).toMatchObject({ ...base, channels: 3 })
      if (depth < 32) {
        expect([...pixels.data]).toEqual(interleave(planes))
        return
      }
      // Linear light gets the sRGB curve; IEC 61966-2-1.
      const curve = (v: number) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)
      const wanted = interleave(planes).map(value => curve(value) * 65535)
      const worst = Math.max(...wanted.map((value, i) => Math.abs(value - pixels.data[i]!)))
      expect(worst).toBeLessThan(3)
    },
  )

  test('one bit: set is black, rows end on whole bytes', async () => {
    const bits = plane(0).map(value => value & 1)
    for (const compression of ['raw', 'packbits'] as const) {
      const pixels = await readPsd(psd({ ...base, mode: 'bitmap', depth: 1, compression, planes: [bits] }))
      expect(pixels.channels).toBe(1)
      expect([...pixels.data]).toEqual(bits.map(bit => (bit ? 0 : 255)))
    }
  })

  test('floating-point numbers out of range, and NaN, stay within the picture', async () => {
    const values = Array(COUNT).fill(0)
    values.splice(0, 4, -3, 7.5, Number.NaN, Number.POSITIVE_INFINITY)
    const pixels = await readPsd(psd({ ...base, mode: 'grayscale', depth: 32, planes: [values] }))
    expect([...pixels.data.slice(0, 4)]).toEqual([0, 65535, 0, 65535])
  })
})

describe('colour modes', () => {
  test('grey and duotone are grey', async () => {
    for (const mode of ['grayscale', 'duotone'] as const) {
      const pixels = await readPsd(psd({ ...base, mode, planes: [plane(0)] }))
      expect(pixels.channels).toBe(1)
      expect([...pixels.data]).toEqual(plane(0))
    }
  })

  test('CMYK is inverted: the format stores 0 for full ink', async () => {
    const planes = [0, 1, 2, 3].map(plane)
    const pixels = await readPsd(psd({ ...base, mode: 'cmyk', planes }))
    expect(pixels).toMatchObject({ channels: 4, space: 'cmyk' })
    expect([...pixels.data]).toEqual(interleave(planes).map(value => 255 - value))
  })

  test('indexed pictures take their colours from the palette, one of them transparent', async () => {
    const palette = Uint8Array.from({ length: 768 }, (_, i) => (i * 7 + (i >> 8) * 50) & 255)
    const indices = plane(1)
    const resources = { 1047: Uint8Array.of(0, indices[5]!) }
    const pixels = await readPsd(psd({ ...base, mode: 'indexed', palette, planes: [indices], resources }))
    expect(pixels.channels).toBe(4)
    const color = (index: number) => [palette[index]!, palette[256 + index]!, palette[512 + index]!]
    const wanted = indices.flatMap(index => [...color(index), index === indices[5] ? 0 : 255])
    expect([...pixels.data]).toEqual(wanted)
  })

  test('Lab colours become sRGB', async () => {
    // Lab values under D50 of sRGB's corners, from the CSS Color 4 tables.
    const known: [lab: [number, number, number], rgb: [number, number, number]][] = [
      [
        [100, 0, 0],
        [255, 255, 255],
      ],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
      [
        [54.29, 80.81, 69.89],
        [255, 0, 0],
      ],
      [
        [87.82, -79.27, 80.99],
        [0, 255, 0],
      ],
      [
        [29.57, 68.3, -112.03],
        [0, 0, 255],
      ],
      [
        [53.39, 0, 0],
        [127, 127, 127],
      ],
    ]
    // Eight bits represent saturated colours only roughly.
    for (const depth of [8, 16] as const) {
      const [max, middle, unit] = depth === 8 ? [255, 128, 1] : [65535, 32768, 256]
      const planes = [0, 1, 2].map(part =>
        known.map(([lab]) => Math.round(part === 0 ? (lab[0] / 100) * max : middle + lab[part]! * unit)),
      )
      const pixels = await readPsd(psd({ mode: 'lab', depth, width: 6, height: 1, planes }))
      const out = [...pixels.data].map(value => (depth === 8 ? value : value / 257))
      for (const [i, [, rgb]] of known.entries()) {
        for (let part = 0; part < 3; part++) {
          expect(Math.abs(out[i * 3 + part]! - rgb[part]!)).toBeLessThan(depth === 8 ? 12 : 4)
        }
      }
    }
  })

  test('Multichannel is refused', async () => {
    const document = psd({ ...base, mode: 'multichannel', planes: [plane(0), plane(1)] })
    await expect(readPsd(document)).rejects.toThrow(
      expect.objectContaining({ code: 'jobs.unsupported_input', reason: { key: 'psd.unsupported_mode' } }),
    )
  })
})

describe('transparency', () => {
  const alpha = Array.from({ length: COUNT }, (_, i) => (i * 5) & 255)

  test('the white below the merged picture is removed', async () => {
    const colors = [0, 1, 2].map(plane)
    const matted = colors.map(values =>
      values.map((v, i) => Math.round((v * alpha[i]!) / 255 + 255 - alpha[i]!)),
    )
    const pixels = await readPsd(psd({ ...base, mode: 'rgb', planes: [...matted, alpha], transparent: true }))
    expect(pixels.channels).toBe(4)
    for (let i = 0; i < COUNT; i++) {
      expect(pixels.data[i * 4 + 3]).toBe(alpha[i])
      // The colour of nearly transparent pixels cannot be determined precisely.
      if (alpha[i]! < 16) continue
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(pixels.data[i * 4 + c]! - colors[c]![i]!)).toBeLessThanOrEqual(128 / alpha[i]! + 0.5)
      }
    }
  })

  test('a saved selection is not transparency', async () => {
    const pixels = await readPsd(psd({ ...base, mode: 'rgb', planes: [plane(0), plane(1), plane(2), alpha] }))
    expect(pixels.channels).toBe(3)
  })

  test('grey and CMYK keep theirs', async () => {
    const grey = await readPsd(
      psd({
        ...base,
        mode: 'grayscale',
        depth: 16,
        planes: [scaled(plane(0), 16), scaled(alpha, 16)],
        transparent: true,
      }),
    )
    expect(grey).toMatchObject({ channels: 2 })
    const cmyk = await readPsd(
      psd({ ...base, mode: 'cmyk', planes: [0, 1, 2, 3].map(plane).concat([alpha]), transparent: true }),
    )
    expect(cmyk).toMatchObject({ channels: 5, space: 'cmyk' })
  })
})

test('profile, EXIF and XMP are kept, but not a profile of another colour space', async () => {
  const icc = Buffer.alloc(200)
  icc.write('RGB ', 16, 'latin1')
  const exif = Buffer.from('II*\0xxxxxxxx')
  const xmp = Buffer.from('<x:xmpmeta/>')
  const resources = { 1039: icc, 1058: exif, 1060: xmp }
  const rgb = await readPsd(psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane), resources }))
  expect(Buffer.from(rgb.icc!)).toEqual(icc)
  expect(Buffer.from(rgb.exif!)).toEqual(exif)
  expect(Buffer.from(rgb.xmp!)).toEqual(xmp)
  const grey = await readPsd(psd({ ...base, mode: 'grayscale', planes: [plane(0)], resources }))
  expect(grey.icc).toBeUndefined()
})
