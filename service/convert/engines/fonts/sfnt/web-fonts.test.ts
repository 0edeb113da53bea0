/** Fonts in their containers; OpenType Sanitiser judges what is written. */
import { describe, expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { sanitised } from '../../../../../testing/fonts.ts'
import { smallFont } from '../../../../../testing/small-font.ts'
import type { Font } from './font.ts'
import { readFonts } from './read.ts'
import { writeSfnt } from './sfnt.ts'
import { writeWoff } from './woff.ts'
import { writeWoff2 } from './woff2.ts'

const files = testFiles('web-fonts')

/** A font's tables in hexadecimal, by tag; `head` without what depends on the container. */
const shown = (font: Font | undefined) =>
  Object.fromEntries(
    [...(font?.tables ?? [])].map(([tag, bytes]) => {
      const copy = Buffer.from(bytes)
      if (tag === 'head') copy.fill(0, 8, 12).fill(0, 16, 18)
      return [tag, copy.toString('hex')]
    }),
  )
const whole = shown(smallFont())

const written = {
  woff: Buffer.from(writeWoff(smallFont())),
  woff2: Buffer.from(await writeWoff2(smallFont())),
}

describe.each(['woff', 'woff2'] as const)('%s', format => {
  const changed = (change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(written[format])
    change(copy)
    return copy
  }

  test('has every table as it was, and passes the sanitiser', async () => {
    expect(sanitised(files.write(written[format], format))).toBe('')
    expect(shown((await readFonts(written[format]))[0])).toEqual(whole)
  })

  test.each<[string, Buffer]>([
    ['a false signature', changed(copy => copy.write('XXXX', 'latin1'))],
    ['no tables', changed(copy => copy.writeUInt16BE(0, 12))],
    ['half of its bytes', written[format].subarray(0, written[format].length / 2)],
    ['damaged data', changed(copy => copy.fill(0xff, copy.length - 200))],
  ])('%s is refused', async (_, damaged) => {
    await expect(readFonts(damaged)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })
})

test('a table of a WOFF that unpacks to less than it says is refused', async () => {
  const copy = Buffer.from(written.woff)
  copy.writeUInt32BE(copy.readUInt32BE(56) - 1, 56)
  await expect(readFonts(copy)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})

test('of several tables with the same tag the first one counts', async () => {
  const font = writeSfnt({
    ...smallFont(),
    tables: new Map([...smallFont().tables, ['zzzz', Buffer.from('none')]]),
  })
  const record = font.indexOf('zzzz', 0, 'latin1')
  font.write('post', record, 'latin1')
  const [face] = await readFonts(font)
  expect([...face!.tables.keys()]).toEqual([...smallFont().tables.keys()])
  expect(face!.tables.get('post')).toEqual(smallFont().tables.get('post'))
})
