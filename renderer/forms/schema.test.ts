import { expect, test } from 'vitest'
import { choice, flag, group, integer, text } from '../../service/convert/catalogue/options.ts'
import { describeProblem } from './problem.ts'
import {
  changedValues,
  countFields,
  defaultAt,
  fieldInWords,
  findProblems,
  fitting,
  isShown,
  valueAt,
  withoutUsual,
  withValue,
} from './schema.ts'
import { chosenSize } from './size.ts'

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

test('what a value implies is shown and sent with it', () => {
  const enabled = flag('Resize', { default: false, 'x-implied': { preset: true, value: true } })
  const implying = { resize: { ...resize, properties: { ...resize.properties, enabled } } }
  const values = { resize: { preset: 'custom', value: 500 } }
  expect(changedValues(implying, values)).toEqual(values)
  expect(changedValues(implying, { resize: { ...values.resize, enabled: false } })).toEqual({})
  expect(chosenSize({ preset: '2k' })).toBe('2k')
  expect(chosenSize({ enabled: false, preset: '2k' })).toBe('off')
})

test('hidden values are neither sent nor checked', () => {
  const values = { resize: { enabled: false, preset: 'custom', value: 20_000 } }
  expect(changedValues(properties, values)).toEqual({})
  expect(findProblems(properties, values)).toEqual({})
})

test('a field is hidden if its controlling sibling is hidden', () => {
  const { value } = resize.properties
  expect(isShown(value, resize.properties, { enabled: true, preset: 'custom' })).toBe(true)
  expect(isShown(value, resize.properties, { enabled: false, preset: 'custom' })).toBe(false)
})

test('a value out of bounds is reported with the bound and unit', () => {
  const problems = findProblems(properties, { resize: { enabled: true, preset: 'custom', value: 20_000 } })
  expect(Object.keys(problems)).toEqual(['resize.value'])
  expect(describeProblem(problems['resize.value']!)).toBe('Enter a number from 1 to 10,000\u00a0px.')
})

test('a number that belongs to a selected choice is required', () => {
  const both = group('Resize', { ...resize.properties, width: resize.properties.value })
  const named = (values: object) =>
    Object.keys(findProblems({ resize: both }, { resize: { enabled: true, preset: 'custom', ...values } }))
  expect(named({})).toEqual(['resize.value', 'resize.width'])
  expect(named({ width: 500 })).toEqual([])
  expect(named({ value: 500 })).toEqual([])
  const problems = findProblems(properties, { resize: { enabled: true, preset: 'custom' } })
  expect(problems['resize.value']?.keyword).toBe('required')
})

test('a number that is shown from the start may be left empty', () => {
  const encoding = choice('Encoding', { auto: 'Automatic', constant: 'Constant' }, { default: 'auto' })
  const shownFrom = (...wanted: string[]) => ({
    encoding,
    bitrate: integer('Bit rate', { minimum: 32, 'x-when': { encoding: wanted } }),
  })
  expect(findProblems(shownFrom('auto', 'constant'), { encoding: 'constant' })).toEqual({})
  expect(findProblems(shownFrom('constant'), { encoding: 'constant' }).bitrate?.keyword).toBe('required')
})

test('options irrelevant for a file are left out, and options about unknown facts stay', () => {
  const schema = {
    frame: integer('Frame', { 'x-requires': { frames: 2 } }),
    metadata: group('Metadata', {
      strip: flag('Strip', { default: true, 'x-requires': { metadata: true } }),
    }),
    quality: integer('Quality'),
  }
  expect(Object.keys(fitting(schema, {}))).toEqual(['frame', 'metadata', 'quality'])
  expect(Object.keys(fitting(schema, { frames: 1, metadata: false }))).toEqual(['quality'])
  expect(Object.keys(fitting(schema, { frames: 2, metadata: true }))).toEqual([
    'frame',
    'metadata',
    'quality',
  ])
})

test('an option that depends on one that does not apply follows the default of that', () => {
  const schema = {
    split: choice(
      'Split',
      { none: 'One file', size: 'By size' },
      { default: 'none', 'x-requires': { pages: 2 } },
    ),
    most: integer('Most', { minimum: 1, maximum: 9, 'x-when': { split: ['none'] } }),
    part: integer('Part', { default: 5, 'x-when': { split: ['size'] } }),
  }
  const fit = fitting(schema, { pages: 1 })
  expect(Object.keys(fit)).toEqual(['most'])
  expect(findProblems(fit, {})).toEqual({})
  expect(Object.keys(fitting(schema, { pages: 2 }))).toEqual(['split', 'most', 'part'])
})

test('a value in the wrong form is reported with the expected form', () => {
  const schema = { pages: text('Pages', { pattern: '^[0-9-]+$', 'x-example': '1-3' }) }
  expect(describeProblem(findProblems(schema, { pages: 'some' }).pages!)).toBe('Enter it like this: 1-3')
})

test('integers and lengths are checked', () => {
  const schema = { pages: integer('Pages', { minimum: 1 }), title: text('Title', { maxLength: 3 }) }
  const problems = findProblems(schema, { pages: 1.5, title: 'long' })
  expect(describeProblem(problems.pages!)).toBe('Enter a whole number.')
  expect(describeProblem(problems.title!)).toBe('At most 3 characters.')
})

test('values are set, cleared and read by path without changing the original', () => {
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

test('the option that is also offered in words is found, in a group too', () => {
  const quality = integer('Quality', { default: 80, 'x-words': { small: 60, balanced: 80, best: 95 } })
  const found = { path: ['video', 'quality'], values: [60, 80, 95], unit: undefined }
  expect(fieldInWords({ resize, video: group('Video', { quality }) })).toEqual(found)
  expect(fieldInWords(properties)).toBeUndefined()
})

test('what was sent because it is usual is no choice of anybody', () => {
  expect(withoutUsual({ metadata: { keep: 'no-place' } })).toEqual({})
  expect(withoutUsual({ metadata: { keep: 'no-place', title: 'x' } })).toEqual({ metadata: { title: 'x' } })
  expect(withoutUsual({ metadata: { keep: 'none' } })).toEqual({ metadata: { keep: 'none' } })
})
