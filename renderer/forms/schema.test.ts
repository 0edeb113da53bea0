import { expect, test } from 'vitest'
import { choice, flag, group, integer, text } from '../../service/catalogue/options.ts'
import { describeProblem } from './problem.ts'
import { changedValues, countFields, defaultAt, findProblems, isShown, valueAt, withValue } from './schema.ts'

const resize = group('Resize', {
  enabled: flag('Resize', { default: false }),
  preset: choice(
    'Size',
    { off: 'Keep', custom: 'Custom' },
    { default: 'off', 'x-when': { enabled: [true] } },
  ),
  value: integer('Custom size', {
    minimum: 1,
    maximum: 10_000,
    'x-unit': 'px',
    'x-when': { enabled: [true], preset: ['custom'] },
  }),
})
const properties = { quality: integer('Quality', { minimum: 1, maximum: 100, default: 82 }), resize }

test('only values that differ from the defaults are sent', () => {
  expect(changedValues(properties, {})).toEqual({})
  expect(changedValues(properties, { quality: 82, resize: { enabled: false } })).toEqual({})
  expect(changedValues(properties, { quality: 90, resize: { enabled: true, preset: 'off' } })).toEqual({
    quality: 90,
    resize: { enabled: true },
  })
})

test('hidden values are neither sent nor checked', () => {
  const values = { resize: { enabled: false, preset: 'custom', value: 20_000 } }
  expect(changedValues(properties, values)).toEqual({})
  expect(findProblems(properties, values)).toEqual({})
})

test('a field hidden by a hidden sibling is hidden too', () => {
  const { value } = resize.properties
  expect(isShown(value, resize.properties, { enabled: true, preset: 'custom' })).toBe(true)
  expect(isShown(value, resize.properties, { enabled: false, preset: 'custom' })).toBe(false)
})

test('a value out of bounds is named with its bound and unit', () => {
  const problems = findProblems(properties, { resize: { enabled: true, preset: 'custom', value: 20_000 } })
  expect(Object.keys(problems)).toEqual(['resize.value'])
  expect(describeProblem(problems['resize.value']!)).toBe('At most 10,000\u00a0px.')
})

test('a number that a choice asks for is required', () => {
  const problems = findProblems(properties, { resize: { enabled: true, preset: 'custom' } })
  expect(problems['resize.value']?.keyword).toBe('required')
})

test('whole numbers and lengths are checked', () => {
  const schema = { pages: integer('Pages', { minimum: 1 }), title: text('Title', { maxLength: 3 }) }
  const problems = findProblems(schema, { pages: 1.5, title: 'long' })
  expect(describeProblem(problems.pages!)).toBe('Enter a whole number.')
  expect(describeProblem(problems.title!)).toBe('At most 3 characters.')
})

test('values are set, emptied and read by path without touching the original', () => {
  const before = { resize: { enabled: true } }
  const after = withValue(before, ['resize', 'value'], 800)
  expect(after).toEqual({ resize: { enabled: true, value: 800 } })
  expect(before).toEqual({ resize: { enabled: true } })
  expect(withValue(after, ['resize', 'value'], undefined)).toEqual(before)
  expect(valueAt(after, 'resize.value')).toBe(800)
  expect(valueAt(after, 'quality.value')).toBeUndefined()
  expect(defaultAt(properties, 'resize.preset')).toBe('off')
  expect(countFields(properties)).toBe(4)
})
