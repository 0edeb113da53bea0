import { expect, test } from 'vitest'
import { choice, flag, group, integer, text } from '../../service/convert/catalogue/options.ts'
import { countOthers, firstPaths, withPasswordFirst } from './arrange.ts'

const sound = {
  audio: group('Sound', {
    channels: text('Channels'),
    encoding: choice('Encoding', { auto: 'Auto', constant: 'Constant' }, { default: 'auto', 'x-order': 1 }),
    bitrate: integer('Bit rate', { 'x-order': 2, 'x-when': { encoding: ['constant'] } }),
  }),
  trim: group('Trim', { start: integer('From'), end: integer('To') }, { 'x-control': 'trim', 'x-order': 4 }),
  loudness: group('Loudness', { normalize: flag('Even out', { default: false }) }, { 'x-order': 5 }),
  metadata: group('Metadata', { strip: flag('Remove', { default: false }) }),
}

test('the first options are those with a rank, in its order', () => {
  expect([...firstPaths(sound, {})]).toEqual(['audio.encoding', 'trim', 'loudness'])
})

test('an irrelevant option leaves its position to the next', () => {
  const values = { audio: { encoding: 'constant' } }
  expect([...firstPaths(sound, values)]).toEqual(['audio.encoding', 'audio.bitrate', 'trim', 'loudness'])
  expect(countOthers(sound, values, firstPaths(sound, values))).toBe(2)
})

test('without ranks the first in order come first', () => {
  const plain = { a: flag('A'), b: group('B', { c: flag('C'), d: flag('D'), e: flag('E') }), f: flag('F') }
  expect([...firstPaths(plain, {})]).toEqual(['a', 'b.c', 'b.d', 'b.e'])
})

test('the password comes first where a file could not be read without it', () => {
  const document = {
    ...Object.fromEntries(['a', 'b', 'c', 'd'].map(key => [key, flag(key, { 'x-order': 1 })])),
    password: text('Password', { 'x-order': 5 }),
  }
  expect(firstPaths(document, {})).not.toContain('password')
  const first = withPasswordFirst(document)
  expect(Object.keys(first)[0]).toBe('password')
  expect(firstPaths(first, {})).toContain('password')
  expect(withPasswordFirst(sound)).toEqual(sound)
})
