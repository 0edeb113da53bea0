import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { converters } from '../service/convert/converters/index.ts'
import { readme, readmeFile } from './readme.ts'

test('the table of conversions in README.md is up to date (npm run readme)', () => {
  const text = readFileSync(readmeFile, 'utf8')
  expect(text).toBe(readme(text))
})

test('every conversion is implemented', () => {
  expect(converters.filter(({ extension }) => !extension)).toHaveLength(170)
  expect(converters.filter(({ load }) => !load).map(({ job }) => job)).toEqual([])
})
