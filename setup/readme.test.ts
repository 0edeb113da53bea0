import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { converters } from '../service/convert/converters/index.ts'
import { tables, updated } from './readme.ts'

test.each(tables)('the table of $name is up to date (npm run readme)', table => {
  expect(readFileSync(table.file, 'utf8')).toBe(updated(table))
})

test('every conversion is implemented', () => {
  expect(converters.filter(({ extension }) => !extension)).toHaveLength(170)
  expect(converters.filter(({ load }) => !load).map(({ job }) => job)).toEqual([])
})
