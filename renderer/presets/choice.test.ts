import { expect, test } from 'vitest'
import type { Preset } from '../../service/web/app/types.ts'
import { choiceFor, choiceOf, offeredFor, suits } from './choice.ts'

const preset = { choices: { png: { target: 'webp', options: { quality: 70 } } } }
const target = (key: string, missing = false) => ({
  ...{ target: key, label: key, job: '', category: 'images', credits: 1 },
  ...{ variants: null, missing, likely: false, maxFileSizeBytes: 1 },
})

test('a preset has a choice for a format, or none', () => {
  expect(choiceOf(preset, 'png')).toEqual({ target: 'webp', options: { quality: 70 } })
  expect(choiceOf(preset, 'mp3')).toBeNull()
  expect(choiceOf(preset, 'constructor')).toBeNull()
  expect(suits(preset, ['mp3', 'png'])).toBe(true)
  expect(suits(preset, ['mp3'])).toBe(false)
})

test('a file accepts the choice only if its conversion is available', () => {
  expect(choiceFor(preset, { format: 'png', targets: [target('webp')] })?.target).toBe('webp')
  expect(choiceFor(preset, { format: 'png', targets: [target('webp', true)] })).toBeNull()
  expect(choiceFor(preset, { format: null, targets: [] })).toBeNull()
})

test('only presets that do something with the files are offered, own ones first', () => {
  const known = (id: string, builtIn: boolean, source: string): Preset => ({
    ...{ id, builtIn, name: id, lastUsedAt: null },
    choices: { [source]: { target: 'txt', options: {} } },
  })
  const all = [known('web', true, 'png'), known('transcript', true, 'mp3'), known('own', false, 'png')]
  const offered = (...formats: string[]) => offeredFor(all, formats).map(({ id }) => id)
  expect(offered('png', 'pdf')).toEqual(['own', 'web'])
  expect(offered('pdf')).toEqual([])
  expect(offered()).toEqual(['own', 'web', 'transcript'])
})
