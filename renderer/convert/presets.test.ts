import { expect, test } from 'vitest'
import type { Preset } from '../../service/app/types.ts'
import { applyPreset, choicesOf, formatsOf, leavePreset, presetInForce } from './presets.ts'
import { useTable } from './store.ts'
import { testChoice, testFile, testRow } from './test-row.ts'

const web: Preset = {
  ...{ id: 'web', name: 'web', builtIn: true, lastUsedAt: null },
  choices: { jpg: { target: 'webp', options: { quality: 70 } } },
}
const none: Preset = { ...web, id: 'none', choices: {} }
const pdf = testFile('p', { format: 'pdf', targets: [testChoice('md')] })

const rows = () => [...useTable.getState().rows.values()]

function show() {
  const shown = [testRow('a'), testRow('p', { file: pdf, target: 'md' }), testRow('b', { target: 'ico' })]
  useTable.setState({ rows: new Map(shown.map(row => [row.key, row])) })
}

test('a preset gives rows their targets and options, and is in force until one differs', () => {
  show()
  expect(formatsOf(rows())).toEqual(['jpg', 'pdf'])
  expect(presetInForce([none, web], rows())).toBeNull()
  applyPreset(web, rows())
  expect(rows().map(({ target, options }) => [target, options])).toEqual([
    ['webp', { quality: 70 }],
    ['md', {}],
    ['webp', { quality: 70 }],
  ])
  expect(presetInForce([none, web], rows())).toBe(web)
  useTable.getState().setOption(['a'], ['quality'], 80)
  expect(presetInForce([none, web], rows())).toBeNull()
})

test('leaving a preset keeps the targets', () => {
  show()
  applyPreset(web, rows())
  leavePreset(web, rows())
  expect(rows().map(({ target, options }) => [target, options])).toEqual([
    ['webp', {}],
    ['md', {}],
    ['webp', {}],
  ])
})

test('what each format becomes can be kept', () => {
  show()
  applyPreset(web, rows())
  expect(choicesOf(rows())).toEqual({
    jpg: { target: 'webp', options: { quality: 70 } },
    pdf: { target: 'md', options: {} },
  })
})
