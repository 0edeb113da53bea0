import { create } from 'zustand'
import type { Settings } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'

/** What an account has chosen for conversions in place of the usual. */
interface Usual extends Omit<Settings, 'destination'> {
  choose(metadata: NonNullable<Settings['metadata']>): Promise<void>
}

export const useUsual = create<Usual>()(set => ({
  metadata: null,
  async choose(metadata) {
    await api.rememberMetadata({ keep: metadata })
    set({ metadata })
  },
}))

/** What stays of the metadata of pictures unless options say otherwise: what the account has chosen, or else what the app does. */
export const usualMetadata = ({ metadata }: Pick<Usual, 'metadata'> = useUsual.getState()) =>
  metadata ?? 'no-place'
