import { create } from 'zustand'
import type { Destination, SaveTo } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { desktop } from '../api/desktop.ts'
import { isMember } from '../session/session.ts'

export type Kind = SaveTo['kind']

/** Kinds offered here: a browser does not reveal where files are, and has no folder dialog; folders are the owner's. */
export function kindsHere(): readonly Kind[] {
  if (isMember()) return ['keep']
  return desktop().chooseFolder ? ['beside', 'folder', 'ask', 'keep'] : ['folder', 'keep']
}

/** Whether originals can go to the recycle bin: a browser does not reveal where they are. */
export const canRecycle = (): boolean => desktop().pathForFile !== undefined

const usualKind = (): Kind => (kindsHere().includes('beside') ? 'beside' : 'keep')

const initial = (): SaveTo => ({
  kind: usualKind(),
  folder: null,
  name: '',
  keepFolders: true,
  keepDates: false,
  taken: 'number',
})

/** The choice, as far as it is possible here: the desktop and a browser share one choice. */
export function possible(value: SaveTo): SaveTo {
  const offered = kindsHere().filter(kind => kind !== 'folder' || value.folder !== null)
  if (offered.includes(value.kind)) return value
  return { ...value, kind: offered.includes('folder') ? 'folder' : usualKind() }
}

interface DestinationState {
  value: SaveTo
  /** Takes over the last choice. */
  restore(last: SaveTo | null): void
  /** Sets a choice, and saves it to the service a moment later. */
  change(value: SaveTo): void
}

/** How long typing must pause before a choice is saved. */
const REMEMBER_AFTER_MS = 400
let timer: ReturnType<typeof setTimeout> | undefined
let isChanged = false

export const useDestination = create<DestinationState>()((set, get) => ({
  value: initial(),
  restore(last) {
    // A choice made meanwhile has priority.
    if (last && !isChanged) set({ value: possible(last) })
  },
  change(value) {
    isChanged = true
    set({ value })
    clearTimeout(timer)
    // If it cannot be saved, that is not reported; the choice still applies for now.
    timer = setTimeout(() => void api.rememberDestination(get().value).catch(() => {}), REMEMBER_AFTER_MS)
  },
}))

/**
 * The destination for a choice.
 * @returns null if the person was asked for a folder and named none
 */
export async function destinationOf(value: SaveTo): Promise<Destination | null> {
  const { kind, folder, name, keepFolders, keepDates, taken, original } = possible(value)
  const saving = {
    ...(name === '' ? {} : { name }),
    ...{ keepDates, taken },
    ...(original === 'recycle' && canRecycle() && { original }),
  }
  if (kind === 'keep') return { kind }
  if (kind === 'beside') return { kind, ...saving }
  const path = kind === 'ask' ? ((await desktop().chooseFolder?.(folder)) ?? null) : folder
  return path === null ? null : { kind: 'folder', path, keepFolders, ...saving }
}

/** The destination of a batch that follows a preset, whose name replaces `{preset}` in names. */
export const withPreset = (destination: Destination, preset: string | null): Destination =>
  destination.kind === 'keep' || preset === null ? destination : { ...destination, preset }
