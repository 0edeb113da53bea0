import { useEffect } from 'react'
import { create } from 'zustand'
import type { NewPreset, Preset, PresetFile } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'

export interface PresetState {
  /** The built-in presets, then the person's own; empty until loaded. */
  presets: readonly Preset[]
  load(): Promise<readonly Preset[]>
  /** Creates a preset. */
  add(preset: NewPreset): Promise<void>
  change(id: string, preset: NewPreset): Promise<void>
  remove(id: string): Promise<void>
  importFile(file: PresetFile): Promise<void>
  /** Records that a preset was used, which affects the ones offered first. */
  use(id: string): void
}

type PresetClient = Pick<
  Client,
  'presets' | 'addPreset' | 'changePreset' | 'removePreset' | 'importPresets' | 'notePresetUse'
>

export function createPresetStore(client: PresetClient) {
  /** What several parts of the page ask for at once is read once. */
  let reading: Promise<Preset[]> | null = null
  return create<PresetState>()((set, get) => ({
    presets: [],
    async load() {
      if (get().presets.length > 0) return get().presets
      reading ??= client.presets().finally(() => {
        reading = null
      })
      set({ presets: await reading })
      return get().presets
    },
    add: async preset => set({ presets: await client.addPreset(preset) }),
    change: async (id, preset) => set({ presets: await client.changePreset(id, preset) }),
    async remove(id) {
      await client.removePreset(id)
      set(state => ({ presets: state.presets.filter(preset => preset.id !== id) }))
    },
    importFile: async file => set({ presets: await client.importPresets(file) }),
    use(id) {
      const lastUsedAt = new Date().toISOString()
      set(state => ({
        presets: state.presets.map(preset => (preset.id === id ? { ...preset, lastUsedAt } : preset)),
      }))
      // Files are converted even if this cannot be saved.
      client.notePresetUse(id).catch(() => {})
    },
  }))
}

export const usePresets = createPresetStore(api)

/** All presets, which are loaded if they are not yet; whatever offers them works without. */
export function usePresetList(): readonly Preset[] {
  useEffect(
    () =>
      void usePresets
        .getState()
        .load()
        .catch(() => {}),
    [],
  )
  return usePresets(state => state.presets)
}
