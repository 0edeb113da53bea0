import { expect, test } from 'vitest'
import { tagFor } from './block-tags.ts'
import { boxStyle } from './style.ts'

test('elements named as what every object has are blocks like others', () => {
  expect(tagFor('constructor', true)).toBe('div')
  expect(boxStyle('toString', {}, 1)).toMatchObject({ marginTop: 0 })
})
