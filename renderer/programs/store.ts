import { create } from 'zustand'
import type { Program } from '../../service/web/app/types.ts'
import { api, type Client } from '../api/client.ts'

interface ProgramsState {
  /** Null until they have been loaded. */
  programs: readonly Program[] | null
  failed: boolean
  load(): Promise<void>
}

export const createProgramsStore = (client: Pick<Client, 'programs'>) =>
  create<ProgramsState>()(set => ({
    programs: null,
    failed: false,
    async load() {
      try {
        set({ programs: await client.programs(), failed: false })
      } catch {
        set({ failed: true })
      }
    },
  }))

export const usePrograms = createProgramsStore(api)
