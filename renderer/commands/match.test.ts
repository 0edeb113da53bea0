import { expect, test } from 'vitest'
import { matching } from './match.ts'

const commands = [
  { label: 'Convert 3 files', group: 'Files' },
  { label: 'WebP', group: 'Convert everything to', words: 'webp' },
  { label: 'Français', group: 'Language', words: 'fr' },
  { label: 'Group files', group: 'Files' },
]
const found = (query: string) => matching(commands, query).map(({ label }) => label)

test('every word must occur somewhere, ignoring case and accents', () => {
  expect(found('')).toHaveLength(4)
  expect(found('everything web')).toEqual(['WebP'])
  expect(found('FRANCAIS')).toEqual(['Français'])
  expect(found('language xyz')).toEqual([])
})

test('labels that begin with the query come first, then those that contain it', () => {
  expect(found('convert')).toEqual(['Convert 3 files', 'WebP'])
  expect(found('group')).toEqual(['Group files'])
  expect(found('files')).toEqual(['Convert 3 files', 'Group files'])
})
