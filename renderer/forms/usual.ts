import { create } from 'zustand'
import type { Settings } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'

/** What an account has chosen for conversions in place of the usual. */
interface Usual extends Pick<Settings, 'metadata'> {
  choose(metadata: NonNullable<Settings['metadata']>): Promise<void>
}

export const useUsual = create<Usual>()(set => ({
  metadata: null,
  async choose(metadata) {
    await api.rememberMetadata({ keep: metadata })
    set({ metadata })
  },
}))
