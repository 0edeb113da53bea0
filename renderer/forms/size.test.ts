import { expect, test } from 'vitest'
import { choice, group } from '../../service/convert/catalogue/options.ts'
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

test.each(['off', '4k', '720p', 'half', 'custom'])('%s is recognised from its values', key => {
  expect(chosenSize(valuesOfSize(key, {}, 4000))).toBe(key)
})

test('enlarging is kept when another size is chosen, and cleared with the original size', () => {
  const values = valuesOfSize('4k', { enlarge: true }, undefined)
  expect(values).toEqual({ enabled: true, preset: '4k', enlarge: true })
  expect(valuesOfSize('off', values, undefined)).toEqual({})
})

test('the resulting size of a picture is shown in advance', () => {
  const photo = { width: 4032, height: 3024 }
  expect(resultSize(valuesOfSize('4k', {}, 4032), photo)).toEqual({ width: 3840, height: 2880 })
  expect(resultSize(valuesOfSize('half', {}, 4032), photo)).toEqual({ width: 2016, height: 1512 })
  expect(resultSize({ enabled: true, preset: 'custom', value: 100 }, photo)).toEqual({
    width: 100,
    height: 75,
  })
  expect(resultSize(valuesOfSize('4k', {}, 80), { width: 80, height: 60 })).toEqual({ width: 80, height: 60 })
  expect(resultSize({ enabled: true, preset: '720p', enlarge: true }, { width: 80, height: 60 })).toEqual({
    width: 1280,
    height: 960,
  })
  expect(resultSize(valuesOfSize('4k', {}, undefined), {})).toBeUndefined()
  expect(resultSize({}, photo)).toBeUndefined()
})
