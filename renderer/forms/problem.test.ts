import { expect, test } from 'vitest'
import { integer, text } from '../../service/convert/catalogue/options.ts'
import { describeProblem } from './problem.ts'

const rate = { 'x-unit': 'kbit/s' } as const

test.each([
  ['minimum', integer('Rate', { ...rate, minimum: 8 }), 'At least 8\u00a0kbit/s.'],
  ['maximum', integer('Rate', { ...rate, maximum: 320 }), 'At most 320\u00a0kbit/s.'],
  [
    'required',
    integer('Rate', { ...rate, minimum: 8, maximum: 320 }),
    'Enter a number from 8 to 320\u00a0kbit/s.',
  ],
  ['pattern', text('Pages', { 'x-example': '1-3' }), 'Enter it like this: 1-3'],
  ['maxLength', text('Pages', { maxLength: 1000 }), 'At most 1,000 characters.'],
])('%s of a field is said with what it allows', (keyword, field, words) => {
  expect(describeProblem({ keyword, field })).toBe(words)
})
