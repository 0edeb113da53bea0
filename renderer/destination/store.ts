import { create } from 'zustand'
import type { Destination, SaveTo } from '../../service/app/types.ts'
import { api, type Client } from '../api/client.ts'
import { desktop } from '../api/desktop.ts'

export type Kind = SaveTo['kind']

/** Kinds offered here: a browser does not tell where files lie, and has no dialog for folders. */
export const kindsHere = (): readonly Kind[] =>
  desktop().chooseFolder ? ['beside', 'folder', 'ask', 'keep'] : ['folder', 'keep']

const initial = (): SaveTo => ({
  kind: desktop().chooseFolder ? 'beside' : 'keep',
  folder: null,
  name: '',
  keepFolders: true,
  keepDates: false,
  taken: 'number',
})

/** What was chosen, as far as it can be had here: the desktop and a browser remember one choice. */
export function possible(value: SaveTo): SaveTo {
  const kind = kindsHere().includes(value.kind) ? value.kind : value.folder === null ? 'keep' : 'folder'
  return { ...value, kind }
}

export interface DestinationState {
  value: SaveTo
  /** Reads what was chosen last; without the service the default stays. */
  load(): Promise<void>
  /** Sets a choice, and has the service remember it a moment later. */
  change(value: SaveTo): void
}

interface Deps {
  client: Pick<Client, 'settings' | 'rememberDestination'>
  /** Runs something soon, in place of what was to run before. */
  soon: (run: () => void) => void
}

export const createDestinationStore = ({ client, soon }: Deps) =>
  create<DestinationState>()((set, get) => {
    let changed = false
    return {
      value: initial(),
      async load() {
        const found = await client.settings().catch(() => null)
        // What the person chose meanwhile counts.
        if (found?.destination && !changed) set({ value: possible(found.destination) })
      },
      change(value) {
        changed = true
        set({ value })
        // Not remembered is no reason to trouble anybody; the choice holds for now.
        soon(() => void client.rememberDestination(get().value).catch(() => {}))
      },
    }
  })

/** How long typing may pause before a choice is remembered. */
const REMEMBER_AFTER_MS = 400
let timer: ReturnType<typeof setTimeout> | undefined

export const useDestination = createDestinationStore({
  client: api,
  soon: run => {
    clearTimeout(timer)
    timer = setTimeout(run, REMEMBER_AFTER_MS)
  },
})

/** Whether the choice is whole: a folder is named where one is needed. */
export const isComplete = ({ kind, folder }: SaveTo): boolean => kind !== 'folder' || folder !== null

/**
 * Where results go, by what was chosen.
 * @returns null when the person was asked for a folder and named none
 */
export async function destinationOf(value: SaveTo): Promise<Destination | null> {
  const { kind, folder, name, keepFolders, keepDates, taken } = possible(value)
  const saving = { ...(name === '' ? {} : { name }), keepDates, taken }
  if (kind === 'keep') return { kind }
  if (kind === 'beside') return { kind, ...saving }
  const path = kind === 'ask' ? ((await desktop().chooseFolder?.(folder)) ?? null) : folder
  return path === null ? null : { kind: 'folder', path, keepFolders, ...saving }
}

/** The destination of a batch that follows a preset, whose name stands for `{preset}` in names. */
export const withPreset = (destination: Destination, preset: string | null): Destination =>
  destination.kind === 'keep' || preset === null ? destination : { ...destination, preset }
