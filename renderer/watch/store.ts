import { create } from 'zustand'
import type { NewWatchRule, WatchRule } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { type Reading, reading } from '../ui/reading.ts'

interface WatchState extends Reading {
  /** Null until they have been loaded. */
  rules: readonly WatchRule[] | null
  add(rule: NewWatchRule): Promise<void>
  setPaused(id: string, paused: boolean): Promise<void>
  retry(id: string): Promise<void>
  remove(id: string): Promise<void>
}

export const useWatch = create<WatchState>()(set => {
  const edit = (change: (rules: readonly WatchRule[]) => readonly WatchRule[]) =>
    set(({ rules }) => ({ rules: rules && change(rules) }))
  const replace = (changed: WatchRule) =>
    edit(rules => rules.map(rule => (rule.id === changed.id ? changed : rule)))
  return {
    rules: null,
    ...reading<WatchState>(set, async () => ({ rules: await api.watchRules() })),

    async add(rule) {
      const added = await api.addWatchRule(rule)
      edit(rules => [...rules, added])
    },

    setPaused: async (id, paused) => replace(await api.pauseWatchRule(id, paused)),
    retry: async id => replace(await api.retryWatchRule(id)),

    async remove(id) {
      await api.removeWatchRule(id)
      edit(rules => rules.filter(rule => rule.id !== id))
    },
  }
})
