import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Destination } from '../../service/app/types.ts'
import { desktop } from '../api/desktop.ts'

export interface MemoryState {
  /** What each source format was last converted to. */
  lastTargets: Readonly<Record<string, string>>
  /** Where results go: kept for download, or into `folder`. */
  saveTo: Destination['kind']
  /** The folder chosen last, which stays known while results are kept. */
  folder: string | null
  remember(targets: Record<string, string>): void
  keep(): void
  saveToFolder(folder: string): void
}

/** What the page remembers of earlier conversions, on this computer only. */
export const useMemory = create<MemoryState>()(
  persist(
    set => ({
      lastTargets: {},
      saveTo: 'keep',
      folder: null,
      remember: targets => set(state => ({ lastTargets: { ...state.lastTargets, ...targets } })),
      keep: () => set({ saveTo: 'keep' }),
      saveToFolder: folder => set({ saveTo: 'folder', folder }),
    }),
    { name: 'refile-last-targets' },
  ),
)

/** Where the results of the next batch go. Only the desktop shell can name a folder of this machine. */
export function destinationOf({ saveTo, folder }: Pick<MemoryState, 'saveTo' | 'folder'>): Destination {
  const inFolder = saveTo === 'folder' && folder !== null && desktop().chooseFolder !== undefined
  return inFolder ? { kind: 'folder', path: folder, keepFolders: true } : { kind: 'keep' }
}
