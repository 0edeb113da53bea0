import { expect, test } from 'vitest'
import { factsOf } from './facts.ts'
import { testFile, testRow } from './test/row.ts'

test('what is wrong with a file is said until the password that it needs was given', () => {
  const problem = 'The PDF is password-protected.'
  const row = testRow('a', { file: testFile('a', { problem }), problem })
  expect(factsOf(row)).toEqual({ text: problem, tone: 'attention' })
  expect(factsOf({ ...row, options: { password: '' } }).text).toBe(problem)
  expect(factsOf({ ...row, options: { password: 'secret' } }).text).toBe('JPEG')
})
