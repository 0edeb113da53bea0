import { create } from 'zustand'
import type { About } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { type Reading, reading } from '../ui/reading.ts'

interface SettingsState extends Reading {
  about: About | null
}

export const useSettings = create<SettingsState>()(set => ({
  about: null,
  ...reading<SettingsState>(set, async () => ({ about: await api.about() })),
}))
