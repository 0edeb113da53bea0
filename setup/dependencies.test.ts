import { describe, expect, test } from 'vitest'
import { isInstalled } from './dependencies.mjs'

const wanted = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '2.0.0', optional: true },
}

describe('whether the packages are installed', () => {
  test('they are if npm recorded each one with its version', () => {
    expect(
      isInstalled(wanted, { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } }),
    ).toBe(true)
  })

  test('an optional package may be missing', () => {
    expect(isInstalled(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(true)
  })

  test.each([
    ['nothing is installed', null],
    ['one is missing', { 'node_modules/b': { version: '2.0.0' } }],
    ['one has another version', { 'node_modules/a': { version: '1.0.1' } }],
    [
      'an optional one has another version',
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.1' } },
    ],
  ])('they are not if %s', (_, present) => {
    expect(isInstalled(wanted, present)).toBe(false)
  })
})
