import { create } from 'zustand'
import type { NewWatchRule, WatchRule } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { listOf, type Reading, reading } from '../ui/reading.ts'

interface WatchState extends Reading<readonly WatchRule[]> {
  /** Makes a rule, in place of another if there is one, which stays if that fails. */
  put(before: WatchRule | undefined, rule: NewWatchRule): Promise<void>
  setPaused(id: string, paused: boolean): Promise<void>
  retry(id: string): Promise<void>
  remove(id: string): Promise<void>
}

export const useWatch = create<WatchState>()(set => {
  const { edit, replace, drop } = listOf<WatchRule>(set)
  return {
    ...reading<readonly WatchRule[]>(set, api.watchRules),

    async put(before, rule) {
      const put = await (before ? api.changeWatchRule(before, rule) : api.addWatchRule(rule))
      edit(rules => [...rules.filter(({ id }) => id !== before?.id), put])
    },

    setPaused: async (id, paused) => replace(await api.pauseWatchRule(id, paused)),
    retry: async id => replace(await api.retryWatchRule(id)),

    async remove(id) {
      await api.removeWatchRule(id)
      drop(id)
    },
  }
})
