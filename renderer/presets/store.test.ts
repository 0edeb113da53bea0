import { expect, test, vi } from 'vitest'
import type { Preset } from '../../service/web/app/types.ts'
import { lastPresets, presetHint, presetName } from './name.ts'
import { createPresetStore } from './store.ts'

const preset = (id: string, more: Partial<Preset> = {}): Preset => ({
  id,
  name: id,
  builtIn: false,
  choices: {},
  lastUsedAt: null,
  ...more,
})

const client = (presets: Preset[]) => ({
  presets: vi.fn(async () => presets),
  addPreset: vi.fn(async () => [...presets, preset('new')]),
  changePreset: vi.fn(async () => presets),
  removePreset: vi.fn(async () => {}),
  importPresets: vi.fn(async () => presets),
  notePresetUse: vi.fn(async () => {}),
})

test('presets are loaded once, and the list reflects changes', async () => {
  const service = client([preset('a')])
  const store = createPresetStore(service)
  await Promise.all([store.getState().load(), store.getState().load()])
  await store.getState().load()
  expect(service.presets).toHaveBeenCalledTimes(1)
  await store.getState().add({ name: 'new', choices: {} })
  expect(store.getState().presets.map(({ id }) => id)).toEqual(['a', 'new'])
  await store.getState().remove('a')
  expect(store.getState().presets.map(({ id }) => id)).toEqual(['new'])
})

test('the last used presets come first where only a few are shown', async () => {
  const store = createPresetStore(client([preset('a'), preset('b'), preset('c'), preset('d')]))
  await store.getState().load()
  store.getState().use('c')
  expect(lastPresets(store.getState().presets).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})

test('a built-in preset has a translated name, others their own', () => {
  expect(presetName(preset('web', { builtIn: true }))).toBe('For the web')
  expect(presetName(preset('web', { name: 'Blog' }))).toBe('Blog')
  expect(presetHint(preset('web', { builtIn: true }))).toContain('WebP')
  expect(presetHint(preset('x'))).toBe('A preset of your own')
})
