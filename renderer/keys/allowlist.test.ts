import { expect, test } from 'vitest'
import { isAddressOrRange, parseAllowlist } from './allowlist.ts'

test.each(['10.0.0.7', '192.168.1.0/24', '::1', '2001:db8::/32', '0.0.0.0/0'])('%s is accepted', text => {
  expect(isAddressOrRange(text)).toBe(true)
})

test.each([
  '10.0.0.300',
  '10.0.0',
  '10.0.0.1/33',
  '10.0.0.1/',
  'localhost',
  '2001:db8::/129',
  ':::',
  '1.2.3.4/8/8',
])('%s is refused', text => {
  expect(isAddressOrRange(text)).toBe(false)
})

test('lines and commas separate entries, and the first invalid one is named', () => {
  expect(parseAllowlist('10.0.0.1\n\n 10.0.0.2, ::1 ')).toEqual({
    entries: ['10.0.0.1', '10.0.0.2', '::1'],
    wrong: null,
  })
  expect(parseAllowlist('10.0.0.1\nhome').wrong).toBe('home')
})
