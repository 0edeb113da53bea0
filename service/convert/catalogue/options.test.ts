import { expect, expectTypeOf, test } from 'vitest'
import { converters } from '../converters/index.ts'
import { defineConverters, fixed } from './converter.ts'
import {
  choice,
  flag,
  group,
  integer,
  isDefault,
  type OptionField,
  type OptionProperties,
  type OptionsOf,
  only,
  text,
  withDefaults,
  withoutOnce,
  withoutSecrets,
} from './options.ts'
import type { Output, Task } from './task.ts'

const shared = {
  size: group('Size', {
    enabled: flag('Resize', { default: false }),
    edge: integer('Edge', { minimum: 1 }),
    unit: choice('Unit', { px: 'Pixels', percent: 'Percent' }, { default: 'px' }),
  }),
}
const byTarget = (target: string) => ({
  ...shared,
  ...only({ quality: target === 'jpg' && integer('Quality', { default: 90 }) }),
})

type Shared = { size: { enabled: boolean; edge?: number; unit: 'px' | 'percent' } }
type ByTarget = Shared & { quality?: number }

test("the type of a work's options follows from the schema", () => {
  expectTypeOf<OptionsOf<typeof shared>>().toExtend<Shared>()
  expectTypeOf<Shared>().toExtend<OptionsOf<typeof shared>>()
  expectTypeOf<OptionsOf<ReturnType<typeof byTarget>>>().toExtend<ByTarget>()
})

test('the compiler refuses a work with options that its row does not have', () => {
  const work = <TaskOptions>() => ({ convert: async (_: Task<TaskOptions>): Promise<Output[]> => [] })
  const row = { source: 'jpg', targets: ['png'], costing: fixed(1), engine: 'pixels' } as const
  const defined = defineConverters('images', [
    { ...row, options: shared, load: async () => work<Shared>() },
    { ...row, options: byTarget, load: async () => work<ByTarget>() },
    { ...row, options: byTarget, load: async () => work<Shared>() },
    { ...row, load: async () => work<unknown>() },
    // @ts-expect-error: it has no work
    row,
    // @ts-expect-error: the edge may be absent
    { ...row, options: shared, load: async () => work<{ size: { edge: number } }>() },
    // @ts-expect-error: only some targets have a quality
    { ...row, options: byTarget, load: async () => work<{ quality: number }>() },
    // @ts-expect-error: there are no options
    { ...row, load: async () => work<Shared>() },
  ])
  expect(defined).toHaveLength(8)
})

test('schemas are plain JSON and contain only what a target has', () => {
  expect(byTarget('png')).toEqual(shared)
  expect(byTarget('jpg').quality).toEqual({ type: 'integer', title: 'Quality', default: 90 })
  expect(shared.size).toEqual({
    type: 'object',
    title: 'Size',
    properties: {
      enabled: { type: 'boolean', title: 'Resize', default: false },
      edge: { type: 'integer', title: 'Edge', minimum: 1 },
      unit: {
        ...{ type: 'string', title: 'Unit', default: 'px' },
        ...{ enum: ['px', 'percent'], 'x-labels': ['Pixels', 'Percent'] },
      },
    },
    additionalProperties: false,
  })
})

test('defaults are filled in, also in missing groups, and nothing is overwritten', () => {
  expect(withDefaults(byTarget('jpg'), {})).toEqual({ size: { enabled: false, unit: 'px' }, quality: 90 })
  expect(withDefaults(shared, { size: { enabled: true, edge: 5 } })).toEqual({
    size: { enabled: true, edge: 5, unit: 'px' },
  })
})

test('nothing was chosen if all is as declared, in groups, too, apart from what does not count', () => {
  expect(isDefault(byTarget('jpg'), withDefaults(byTarget('jpg'), {}))).toBe(true)
  expect(isDefault(shared, {})).toBe(true)
  for (const size of [{ edge: 5 }, { unit: 'percent' }, { enabled: true }])
    expect(isDefault(shared, { size }), JSON.stringify(size)).toBe(false)
  expect(isDefault(shared, { size: { edge: 5 } }, ['edge'])).toBe(true)
})

test('a value that matters only while a switch is on turns it on, unless it was turned off', () => {
  const { options: properties } = converters.find(({ job }) => job === 'image.png-to-jpg')!
  const given = { resize: { value: 500 }, smartCompression: { mode: 'lossy' } }
  expect(withDefaults(properties, given)).toMatchObject({
    resize: { enabled: true, preset: 'custom', value: 500 },
    smartCompression: { enabled: true },
  })
  expect(withDefaults(properties, { resize: { enabled: false, preset: '2k' } })).toMatchObject({
    resize: { enabled: false },
    smartCompression: { enabled: false },
  })
  const switches = (properties: OptionProperties): unknown[] =>
    Object.values(properties).flatMap(schema => {
      if (schema.type === 'object') return switches(schema.properties)
      const wanted = Object.entries(schema['x-when'] ?? {}).filter(([, [value]]) => value === true)
      return wanted.map(([name]) => {
        const controlling = properties[name] as OptionField
        const field = Object.keys(properties).find(key => properties[key] === schema) ?? ''
        return controlling.default === false && controlling['x-implied']?.[field] === true
      })
    })
  const all = converters.flatMap(converter => switches(converter.options))
  expect(all.length).toBeGreaterThan(20)
  expect(all).not.toContain(false)
})

test('options about a single file are left out of what is kept for others', () => {
  const properties = {
    pages: text('Pages', { 'x-per-file': true }),
    trim: group('Trim', { start: integer('From') }, { 'x-per-file': true }),
    dpi: integer('Resolution'),
  }
  expect(withoutOnce({ pages: '2', trim: { start: 3 }, dpi: 72 }, properties)).toEqual({ dpi: 72 })
})

test('secret options are left out of what is shown, also in groups', () => {
  const secret = text('Password', { 'x-secret': true })
  const properties = {
    password: secret,
    dpi: integer('Resolution'),
    inner: group('Inner', { password: secret, on: flag('On') }),
  }
  const options = { password: 'a', dpi: 72, inner: { password: 'b', on: true } }
  expect(withoutSecrets(options, properties)).toEqual({ dpi: 72, inner: { on: true } })
})
