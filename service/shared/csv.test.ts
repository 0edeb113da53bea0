import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { isFull } from '../../testing/fixtures/full.ts'
import { csvRecord } from './csv.ts'

test.each([
  [['a', 1, null], 'a,1,\r\n'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"\r\n'],
  [[-5, '-5', '=1+1', '+1', '@x', '\tx', 'x=1'], "-5,'-5,'=1+1,'+1,'@x,'\tx,x=1\r\n"],
  [['=HYPERLINK("http://a","b")'], `"'=HYPERLINK(""http://a"",""b"")"\r\n`],
])('%j', (fields, line) => {
  expect(csvRecord(fields)).toBe(line)
})

/** Reads one record with the grammar of RFC 4180. */
function read(record: string): string[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  return [...record.matchAll(field)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}

testFull('every field is read back unchanged, and never as a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), fields => {
      const found = read(csvRecord(fields))
      expect(found.map(text => text.replace(/^'(?=[=+\-@\t\r])/, ''))).toEqual(fields)
      for (const text of found) expect(text).not.toMatch(/^[=+\-@\t\r]/)
    }),
    { numRuns: isFull ? 100 : 20 },
  )
})
