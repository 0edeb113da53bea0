import { create } from 'zustand'
import type { Program } from '../../service/web/app/types.ts'
import { api } from '../api/client.ts'
import { type Reading, reading } from '../ui/reading.ts'

interface ProgramsState extends Reading {
  /** Null until they have been loaded. */
  programs: readonly Program[] | null
}

export const usePrograms = create<ProgramsState>()(set => ({
  programs: null,
  ...reading<ProgramsState>(set, async () => ({ programs: await api.programs() })),
}))
