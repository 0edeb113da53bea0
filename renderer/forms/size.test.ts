import { expect, test } from 'vitest'
import { choice, group, integer } from '../../service/convert/catalogue/options.ts'
import { chosenSize, resultSize, sizeChoices, valuesOfSize } from './size.ts'

const resize = group('Resize', {
  preset: choice('Size', { off: 'Keep', '4k': '4K', '720p': '720p', custom: 'Custom' }, { default: 'off' }),
})

test('the named sizes are between the original and a custom size', () => {
  expect(sizeChoices(resize)).toEqual([
    { key: 'off' },
    { key: '4k', label: '4K' },
    { key: '720p', label: '720p' },
    { key: 'half' },
    { key: 'custom' },
  ])
})

test.each(['off', '4k', '720p', 'half', 'custom', 'exact'])('%s is recognised from its values', key => {
  expect(chosenSize(valuesOfSize(key, {}, { width: 4000, height: 3000 }))).toBe(key)
})

test('a width and a height are offered where the conversion takes them', () => {
  const exact = group('Resize', { ...resize.properties, width: integer('Width') })
  expect(sizeChoices(exact).at(-1)).toEqual({ key: 'exact' })
  const values = valuesOfSize('exact', { enlarge: true }, { width: 400, height: 300 })
  expect(values).toEqual({
    enabled: true,
    enlarge: true,
    preset: 'custom',
    fit: 'contain',
    width: 400,
    height: 300,
  })
})

test.each([
  ['contain', { width: 200, height: 200 }, { width: 200, height: 150 }],
  ['contain', { height: 150 }, { width: 200, height: 150 }],
  ['contain', { width: 800 }, { width: 400, height: 300 }],
  ['cover', { width: 200, height: 200 }, { width: 200, height: 200 }],
  ['fill', { width: 800 }, { width: 800, height: 300 }],
])('%s of %o', (fit, box, result) => {
  const values = { enabled: true, preset: 'custom', fit, ...box }
  expect(resultSize(values, { width: 400, height: 300 })).toEqual(result)
})

test('enlarging is kept when another size is chosen, and cleared with the original size', () => {
  const values = valuesOfSize('4k', { enlarge: true })
  expect(values).toEqual({ enabled: true, preset: '4k', enlarge: true })
  expect(valuesOfSize('off', values)).toEqual({})
})

test('the resulting size of a picture is shown in advance', () => {
  const photo = { width: 4032, height: 3024 }
  expect(resultSize(valuesOfSize('4k', {}, photo), photo)).toEqual({ width: 3840, height: 2880 })
  expect(resultSize(valuesOfSize('half', {}, photo), photo)).toEqual({ width: 2016, height: 1512 })
  expect(resultSize({ enabled: true, preset: 'custom', value: 100 }, photo)).toEqual({
    width: 100,
    height: 75,
  })
  expect(resultSize(valuesOfSize('4k', {}), { width: 80, height: 60 })).toEqual({ width: 80, height: 60 })
  expect(resultSize({ enabled: true, preset: '720p', enlarge: true }, { width: 80, height: 60 })).toEqual({
    width: 1280,
    height: 960,
  })
  expect(resultSize(valuesOfSize('4k', {}), {})).toBeUndefined()
  expect(resultSize({}, photo)).toBeUndefined()
})
