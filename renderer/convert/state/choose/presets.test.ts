import { expect, test, vi } from 'vitest'
import type { Preset } from '../../../../service/web/app/types.ts'
import { testChoice, testFile, testRow } from '../rows/test/row.ts'
import { useTable } from '../store.ts'
import { planOf } from './plan.ts'
import { choicesOf, countFormats, presetInForce, presetNameOf } from './presets.ts'

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

test('a preset sets targets and options of rows, and applies until one differs', () => {
  show()
  expect([...countFormats(rows())]).toEqual([
    ['jpg', 2],
    ['pdf', 1],
  ])
  expect(presetInForce([none, web], rows())).toBeNull()
  useTable.getState().follow(web, useTable.getState().rows.keys())
  expect(rows().map(({ target, options }) => [target, options])).toEqual([
    ['webp', { quality: 70 }],
    ['md', {}],
    ['webp', { quality: 70 }],
  ])
  expect(presetInForce([none, web], rows())).toBe(web)
  useTable.getState().setOption(['a'], ['quality'], 80)
  expect(presetInForce([none, web], rows())).toBeNull()
  expect(useTable.getState().following).toBeNull()
})

test('a preset that only sets the target which rows have anyway is in force once it is chosen', () => {
  show()
  const plain: Preset = { ...web, id: 'plain', choices: { pdf: { target: 'md', options: {} } } }
  expect(presetInForce([plain], rows())).toBeNull()
  expect(presetInForce([plain], rows(), plain)).toBe(plain)
})

test('a preset is in force in whatever order its options were remembered', () => {
  show()
  const options = { audio: { encoding: 'variable', quality: 4 }, pages: ['b', 'a'] }
  const preset: Preset = { ...web, choices: { pdf: { target: 'md', options } } }
  const remembered = { pages: ['b', 'a'], audio: { quality: 4, encoding: 'variable' } }
  const withOptions = (own: object) => [testRow('p', { file: pdf, target: 'md', options: { ...own } })]
  expect(presetInForce([preset], withOptions(remembered))).toBe(preset)
  expect(presetInForce([preset], withOptions({ ...remembered, pages: ['a', 'b'] }))).toBeNull()
})

test('a choice for a file that a preset does not cover does not deactivate the preset', () => {
  show()
  useTable.getState().follow(web, ['a', 'b'])
  useTable.getState().setOption(['p'], ['pictures'], 'none')
  expect(useTable.getState().following).toBe(web)
})

test('a name can contain the preset that the files of a batch follow', () => {
  show()
  useTable.getState().follow(web, ['a', 'b'])
  const [a, p] = rows()
  const twin = { ...web, id: 'twin', name: 'Twin', builtIn: false }
  expect(presetNameOf([a!], [twin, web], web)).toBe('For the web')
  expect(presetNameOf([a!], [twin, web], null)).toBe('Twin')
  expect(presetNameOf([p!], [twin, web], web)).toBeNull()
})

test('deactivating a preset keeps the targets', () => {
  show()
  useTable.getState().follow(web, useTable.getState().rows.keys())
  useTable.getState().unfollow(web, useTable.getState().rows.keys())
  expect(rows().map(({ target, options }) => [target, options])).toEqual([
    ['webp', {}],
    ['md', {}],
    ['webp', {}],
  ])
})

test('the targets of all formats can be saved', () => {
  show()
  useTable.getState().follow(web, useTable.getState().rows.keys())
  expect(choicesOf(rows())).toEqual({
    jpg: { target: 'webp', options: { quality: 70 } },
    pdf: { target: 'md', options: {} },
  })
})

test('a goal acts on what it covers, and leaves the rest as it is until it is given up', () => {
  show()
  const goal: Preset = { ...web, id: 'smaller' }
  const { follow, unfollow } = useTable.getState()
  follow(goal, useTable.getState().rows.keys())
  const targets = () => rows().map(({ target }) => target)
  expect(targets()).toEqual(['webp', null, 'webp'])
  const plan = planOf(rows(), {}, null, useTable.getState().following)
  expect(plan).toMatchObject({ files: 2, leftOut: 1, undecided: [] })
  unfollow(goal, useTable.getState().rows.keys())
  expect(targets()).toEqual(['webp', 'md', 'webp'])
})

test('the targets of files that a preset does not cover are not looked through', () => {
  const uncovered = [testRow('p', { file: { ...pdf }, target: 'md' })]
  const targets = vi.fn(() => pdf.targets)
  Object.defineProperty(uncovered[0]!.file!, 'targets', { get: targets })
  expect(presetInForce([web], uncovered)).toBeNull()
  expect(targets).not.toHaveBeenCalled()
})
