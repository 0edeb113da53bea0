import { describe, expect, test } from 'vitest'
import { u16, u32 } from '../../../../../testing/fixtures/numbers.ts'
import { type Box, foreground, op, pict } from '../../../../../testing/pict.ts'
import { black, drawn, painted, rect, red, white } from '../../../../../testing/pict-drawn.ts'

describe('files', () => {
  const paint = Buffer.concat([foreground(red), rect(0x31, 0, 0, 10, 10)])

  test.each([512, 0, 640])('the picture begins after %i bytes', async lead => {
    const { width, at } = await drawn(pict({ frame: [0, 0, 10, 20], lead }, paint))
    expect(width).toBe(40)
    expect(at(3, 3)).toEqual(red)
    expect(at(30, 3)).toEqual(white)
  })

  test('version 1 has opcodes of one byte', async () => {
    const opcodes = [
      Buffer.from([0x0e]),
      u32(409),
      Buffer.from([0xa0]),
      u16(130),
      Buffer.from([0x31]),
      u16(2, 2, 8, 8),
      Buffer.from([0xa1]),
      u16(100, 3),
      Buffer.from('abc'),
      Buffer.from([0x38]),
    ]
    const { at } = await drawn(pict({ frame: [0, 0, 10, 10], version: 1 }, ...opcodes))
    expect(at(10, 10)).toEqual([0, 0, 211])
    expect(at(2, 2)).toEqual(white)
  })

  test('extended pictures are shown at their own resolution', async () => {
    const extended = { dpi: 288, source: [100, 200, 140, 280] as Box }
    const picture = pict({ frame: [0, 0, 10, 20], extended }, foreground(red), rect(0x51, 100, 200, 140, 240))
    const { width, height, at } = await drawn(picture)
    expect([width, height]).toEqual([80, 40])
    expect(at(20, 20)).toEqual(red)
    expect(at(1, 1)).toEqual(white)
  })

  test('one that is truncated between two opcodes is drawn, with a warning', async () => {
    const whole = pict({ frame: [0, 0, 20, 20] }, rect(0x31, 0, 0, 5, 5))
    expect((await drawn(whole)).warnings).toEqual([])
    const { at, warnings } = await drawn(whole.subarray(0, -2))
    expect(at(1, 1)).toEqual(black)
    expect(warnings).toEqual([expect.stringContaining('ends before its picture')])
  })

  test('unknown opcodes are skipped', async () => {
    const frames = (i: number) => rect(0x31, i, 0, i + 1, 1)
    const reserved = [
      op(0x24, u16(3), Buffer.from([1, 2, 3])),
      op(0x35, u16(1, 2, 3, 4)),
      op(0x3d),
      op(0x65, u16(1, 2, 3, 4, 5, 6)),
      op(0x6d, u16(1, 2)),
      op(0x75, u16(10, 1, 2, 3, 4)),
      op(0x92, u16(4), u32(1)),
      op(0xa2, u16(2), u16(7)),
      op(0xb0),
      op(0xd0, u32(6), Buffer.alloc(6)),
      op(0x0305, Buffer.alloc(6)),
      op(0x7fff, Buffer.alloc(254)),
      op(0x8037),
      op(0x9876, u32(5), Buffer.alloc(5)),
    ]
    const { at } = await painted(...reserved.flatMap((opcode, i) => [opcode, frames(i)]))
    for (let i = 0; i < reserved.length; i++) expect(at(1, i * 2 + 1)).toEqual(black)
    expect(at(1, reserved.length * 2 + 1)).toEqual(white)
  })
})
