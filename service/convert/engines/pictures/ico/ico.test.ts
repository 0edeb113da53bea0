import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { few } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { decode } from '../../../../../testing/pictures.ts'
import { readIcon } from './read.ts'
import { buildIcon, iconBitmap } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-ico-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)

const rgba = (size: number) => {
  const data = new Uint8Array(size * size * 4)
  for (let i = 0; i < size * size; i++) {
    const inside = Math.hypot((i % size) - size / 2, Math.floor(i / size) - size / 2) < size / 2
    data.set(inside ? [(i % size) * 5, 90, 200, 255] : [0, 0, 0, 0], i * 4)
  }
  return data
}

test('other programs can read what is written here', () => {
  tool('convert', '-size', '256x256', 'xc:#204060', `PNG32:${file('big.png')}`)
  const images = [16, 24, 48].map(size => ({ size, data: iconBitmap(size, rgba(size)) }))
  writeFileSync(file('a.ico'), buildIcon([...images, { size: 256, data: readFileSync(file('big.png')) }]))
  const listed = tool('icotool', '-l', file('a.ico')).trim().split('\n')
  expect(listed).toHaveLength(4)
  for (const [i, { size }] of images.entries()) {
    tool('icotool', '-x', '-i', String(i + 1), '-o', file('x.png'), file('a.ico'))
    const { data, width } = decode(file('x.png'))
    expect(width).toBe(size)
    // A program that applies the mask clears the colours below it, which are never visible.
    expect([...data]).toEqual([...rgba(size)])
  }
})

test('what is more transparent than opaque is left out by programs that know the mask alone', () => {
  const data = iconBitmap(16, new Uint8Array(16 * 16 * 4).fill(100))
  // Two bytes of bits for each row, and two that fill it up.
  expect(data.subarray(-4).toString('hex')).toBe('ffff0000')
  expect(
    iconBitmap(16, new Uint8Array(16 * 16 * 4).fill(150))
      .subarray(-4)
      .toString('hex'),
  ).toBe('00000000')
})

describe('files written by other programs can be read here', () => {
  test.each(
    few(1, [
      ['1 bit', 2],
      ['4 bits', 16],
      ['8 bits', 200],
    ]),
  )('%s', (_, colours) => {
    const source = ['-size', '32x32', 'gradient:#ff0000-#0000ff', '-colors', String(colours)]
    tool('convert', ...source, '-type', 'Palette', file('p.ico'))
    const [entry] = readIcon(readFileSync(file('p.ico'))).entries
    const picture = entry!.read()
    if ('encoded' in picture) throw new Error('not decoded')
    expect([...picture.data]).toEqual([...decode(file('p.ico')).data])
  })

  test('with a mask', () => {
    tool(
      'convert',
      '-size',
      '20x20',
      'xc:none',
      '-fill',
      '#c04000',
      '-draw',
      'rectangle 5,5 14,14',
      file('m.png'),
    )
    tool('icotool', '-c', '-b', '24', '-t', '0', file('m.png'), '-o', file('m.ico'))
    const [entry] = readIcon(readFileSync(file('m.ico'))).entries
    const picture = entry!.read()
    if ('encoded' in picture) throw new Error('not decoded')
    const at = (x: number, y: number) => [...picture.data.subarray((y * 20 + x) * 4, (y * 20 + x) * 4 + 4)]
    expect(at(10, 10)).toEqual([0xc0, 0x40, 0, 255])
    expect(at(1, 1)[3]).toBe(0)
  })

  test('several sizes, the largest first', () => {
    tool('convert', '-size', '64x64', 'xc:#123456', '-define', 'icon:auto-resize=64,16,32', file('s.ico'))
    const { entries, complete } = readIcon(readFileSync(file('s.ico')))
    expect(entries.map(entry => entry.width)).toEqual([64, 32, 16])
    expect(complete).toBe(true)
  })
})

test('damaged entries are left out, and a file with no others is refused', () => {
  const icon = buildIcon([16, 32].map(size => ({ size, data: iconBitmap(size, rgba(size)) })))
  icon.writeUInt32LE(0xffffff00, 6 + 12)
  const { entries, complete } = readIcon(icon)
  expect(entries.map(entry => entry.width)).toEqual([32])
  expect(complete).toBe(false)
  icon.writeUInt32LE(0xffffff00, 6 + 16 + 12)
  const corrupt = expect.objectContaining({ code: 'jobs.corrupt_input' })
  expect(() => readIcon(icon)).toThrow(corrupt)
  expect(() => readIcon(Buffer.alloc(3))).toThrow(corrupt)
  expect(() => readIcon(Buffer.from('not an icon at all'))).toThrow(corrupt)
})
