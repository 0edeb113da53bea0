import { expect, test } from 'vitest'
import { seeded } from '../../../../../../testing/fixtures/pixels.ts'
import { unpackPalmDoc } from '../read/palmdoc.ts'
import { compress, RECORD_BYTES } from './palmdoc.ts'
import { packText } from './text-records.ts'

const random = seeded(7)
const half = Uint8Array.from({ length: RECORD_BYTES / 2 }, () => random(256))
const fixtures: Record<string, Uint8Array> = {
  nothing: new Uint8Array(),
  'one byte': Uint8Array.of(0xe2),
  zeros: new Uint8Array(RECORD_BYTES),
  English: Buffer.from('It was the best of times, it was the worst of times. '.repeat(90)).subarray(
    0,
    RECORD_BYTES,
  ),
  Russian: Buffer.from('Все счастливые семьи похожи друг на друга. '.repeat(60)).subarray(0, RECORD_BYTES),
  Chinese: Buffer.from('滾滾長江東逝水，浪花淘盡英雄。'.repeat(100)).subarray(0, RECORD_BYTES),
  'every byte': Uint8Array.from({ length: RECORD_BYTES }, (_, at) => at % 256),
  'any bytes': Uint8Array.from({ length: RECORD_BYTES }, () => random(256)),
  'a half twice, a byte farther than a copy reaches': Uint8Array.from([...half, ...half]),
  'few different bytes': Uint8Array.from(
    { length: RECORD_BYTES },
    () => [0, 1, 8, 9, 32, 64, 127, 128, 255][random(9)]!,
  ),
}

test.each(Object.entries(fixtures))('%s is restored from PalmDOC', (_, text) => {
  expect(Buffer.compare(unpackPalmDoc(compress(text)), text)).toBe(0)
})

test('repetitive text is compressed well', () => {
  for (const name of ['English', 'Russian', 'Chinese']) {
    expect(compress(fixtures[name]!).length).toBeLessThan(RECORD_BYTES / 4)
  }
})

test('split characters are completed at the end of their record', () => {
  for (const shift of [0, 1, 2, 3]) {
    const text = Buffer.from(`${'x'.repeat(shift)}${'😀滾é'.repeat(2000)}`)
    const parts: Buffer[] = []
    for (const record of packText(text).records) {
      const extra = record.at(-1)!
      const whole = Buffer.concat([
        unpackPalmDoc(record.subarray(0, record.length - 1 - extra)),
        record.subarray(record.length - 1 - extra, record.length - 1),
      ])
      // With its completion, a record ends with a whole character; it may begin within one.
      expect(new TextDecoder().decode(whole.subarray(-16))).not.toMatch(/\ufffd$/)
      parts.push(unpackPalmDoc(record.subarray(0, record.length - 1 - extra)))
    }
    expect(parts.slice(0, -1).every(({ length }) => length === RECORD_BYTES)).toBe(true)
    expect(Buffer.concat(parts).equals(text)).toBe(true)
  }
})
