import { describe, expect, test } from 'vitest'
import { u16 } from '../../../../../testing/fixtures/numbers.ts'
import { foreground, op, pict, text } from '../../../../../testing/pict.ts'
import { drawn, red } from '../../../../../testing/pict-drawn.ts'

describe('text', () => {
  /** How many points a text covers, and how far it extends to the right. */
  async function inked(
    ...opcodes: Buffer[]
  ): Promise<{ points: number; right: number; bottom: number; top: number }> {
    const image = await drawn(pict({ frame: [0, 0, 60, 300] }, ...opcodes, text(10, 40, 'Hamburg, iiii')))
    const found = { points: 0, right: 0, bottom: 0, top: 999 }
    for (let y = 0; y < image.height; y++) {
      for (let x = 0; x < image.width; x++) {
        if (image.at(x, y)[0]! > 128) continue
        found.points++
        found.right = Math.max(found.right, x)
        found.top = Math.min(found.top, y)
        found.bottom = Math.max(found.bottom, y)
      }
    }
    return found
  }
  const size = (points: number) => op(0x0d, u16(points))
  const font = (number: number) => op(0x03, u16(number))
  const face = (bits_: number) => op(0x04, Buffer.from([bits_]))

  test('stands on its baseline, in the requested size', async () => {
    const small = await inked(font(21), size(12))
    const large = await inked(font(21), size(24))
    // Capitals of Helvetica are 0.72 of the size, at two pixels per point.
    expect(Math.abs(80 - small.top - 0.72 * 24)).toBeLessThan(3)
    expect(Math.abs(80 - large.top - 0.72 * 48)).toBeLessThan(4)
    expect(large.right - 20).toBeGreaterThan(1.8 * (small.right - 20))
  })

  test('fonts, by number and by name, and faces differ as they should', async () => {
    const sans = await inked(font(21), size(18))
    const mono = await inked(font(22), size(18))
    const serif = await inked(font(20), size(18))
    expect(mono.right).toBeGreaterThan(sans.right + 20)
    expect(serif.right).toBeLessThan(sans.right)
    const name = (value: string) =>
      op(0x2c, u16(3 + value.length, 777), Buffer.from([value.length]), Buffer.from(value))
    expect(await inked(name('Courier'), font(777), size(18))).toEqual(mono)
    expect(await inked(name('Palatino'), size(18))).toEqual(serif)
    expect((await inked(font(21), size(18), face(1))).points).toBeGreaterThan(sans.points * 1.15)
    expect((await inked(font(21), size(18), face(4))).points).toBeGreaterThan(sans.points + 100)
    expect((await inked(font(21), size(18), face(64))).right).toBeGreaterThan(sans.right + 10)
    expect((await inked(font(0), size(18))).points).toBeGreaterThan(sans.points * 1.1)
  })

  test('a ratio scales it, horizontally and vertically', async () => {
    const plain = await inked(font(21), size(12))
    const wide = await inked(font(21), size(12), op(0x10, u16(1, 2, 1, 1)))
    expect(Math.abs(wide.right - 20 - 2 * (plain.right - 20))).toBeLessThan(6)
    expect(wide.top).toBe(plain.top)
  })

  test('greyish text is half as dark', async () => {
    const line = (mode: number) =>
      drawn(pict({ frame: [0, 0, 60, 300] }, size(40), op(0x05, u16(mode)), text(10, 40, 'IIIII')))
    const darkest = ({ width, height, at }: Awaited<ReturnType<typeof drawn>>) =>
      Math.min(...Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width))[0]!))
    expect(darkest(await line(1))).toBe(0)
    expect(Math.abs(darkest(await line(49)) - 128)).toBeLessThan(3)
  })

  test('continues relative to the previous text', async () => {
    const { at } = await drawn(
      pict(
        { frame: [0, 0, 60, 100] },
        size(20),
        foreground(red),
        text(0, 20, '.'),
        op(0x2b, Buffer.from([40, 30, 1]), Buffer.from('.')),
      ),
    )
    const ink = (x0: number, y0: number) => {
      for (let y = y0; y < y0 + 12; y++)
        for (let x = x0; x < x0 + 20; x++) if (at(x, y)[1]! < 100) return true
      return false
    }
    expect([ink(0, 29), ink(80, 89), ink(80, 29)]).toEqual([true, true, false])
  })
})
