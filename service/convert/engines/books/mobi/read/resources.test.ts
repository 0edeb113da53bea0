import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Resources } from './resources.ts'

const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex')
const larger = Buffer.concat([jpeg, Buffer.alloc(100, 1)])

test('a high-resolution picture replaces the ordinary one with the same number', () => {
  const records = [
    Buffer.from('header'),
    jpeg,
    jpeg,
    Buffer.from('CONT and a header'),
    Buffer.from('a0a0a0a0', 'hex'),
    Buffer.concat([Buffer.from('CRES\0\0\0\0\0\0\0\0'), larger]),
    Buffer.from('CONTBOUNDARY'),
  ]
  const resources = new Resources(records, 1)
  expect(resources.read(1)?.bytes.equals(jpeg)).toBe(true)
  expect(resources.read(2)?.bytes.equals(larger)).toBe(true)
  expect(resources.read(0)).toBeUndefined()
  expect(resources.read(3)).toBeUndefined()
  expect(resources.read(70_000)).toBeUndefined()
})

test('the type of a compressed and obfuscated font is detected', () => {
  const font = Buffer.concat([Buffer.from('OTTO'), Buffer.alloc(5000, 7)])
  const data = deflateSync(font)
  const key = Buffer.from('0123456789abcdefghij')
  for (let at = 0; at < Math.min(1040, data.length); at++) data[at]! ^= key[at % key.length]!
  const head = Buffer.alloc(24)
  head.write('FONT')
  for (const [index, value] of [font.length, 3, 44, key.length, 24].entries())
    head.writeUInt32BE(value, 4 + 4 * index)
  const record = Buffer.concat([head, key, data])
  const resource = new Resources([record], 0).read(1)
  expect(resource).toMatchObject({ mime: 'font/otf' })
  expect(resource?.bytes.equals(font)).toBe(true)
  expect(new Resources([record.subarray(0, 60)], 0).read(1)).toBeUndefined()
  expect(new Resources([record.subarray(0, 20)], 0).read(1)).toBeUndefined()
})

test('audio and video are read after their own header', () => {
  const sound = Buffer.from('ID3\x03\0\0\0\0\0\0')
  const wrapped = (kind: string, content: Buffer) =>
    Buffer.concat([Buffer.from(kind), Buffer.from([0, 0, 0, 12, 0, 0, 0, 0]), content])
  const video = Buffer.from('\0\0\0\x18ftypmp42')
  const resources = new Resources([wrapped('AUDI', sound), wrapped('VIDE', video)], 0)
  expect(resources.read(1)).toMatchObject({ mime: 'audio/mpeg', bytes: sound })
  expect(resources.read(2)).toMatchObject({ mime: 'video/mp4', bytes: video })
})
