/** What was chosen for files of each format when they were last converted, as the service remembers it. */
import { create } from 'zustand'
import type { ChosenPair } from '../../service/app/types.ts'
import { api, type Client } from '../api/client.ts'
import type { Values } from '../forms/schema.ts'
import { pairOf } from '../options/schemas.ts'

export interface LastChoices {
  /** What a format was last converted to. */
  targetOf(format: string): string | undefined
  /** Options a pair was last converted with: those that differ from the defaults and are not about one file. */
  optionsOf(format: string, target: string): Values | undefined
}

export interface MemoryState extends LastChoices {
  /** Without the service nothing is remembered, and everything begins with the defaults. */
  load(): Promise<void>
  remember(choices: ChosenPair[]): Promise<void>
}

/** @param choices latest first */
function lastOf(choices: readonly ChosenPair[]): LastChoices {
  const targets = new Map<string, string>()
  const options = new Map<string, Values>()
  for (const choice of choices) {
    if (!targets.has(choice.source)) targets.set(choice.source, choice.target)
    options.set(pairOf(choice.source, choice.target), choice.options)
  }
  return {
    targetOf: format => targets.get(format),
    optionsOf: (format, target) => options.get(pairOf(format, target)),
  }
}

export const createMemoryStore = (client: Pick<Client, 'choices' | 'rememberChoices'>) =>
  create<MemoryState>()((set, get) => ({
    ...lastOf([]),
    async load() {
      const choices = await client.choices().catch(() => null)
      if (choices) set(lastOf(choices))
    },
    async remember(choices) {
      if (choices.length === 0) return
      await client.rememberChoices(choices)
      // What it keeps of them is the service's to say.
      await get().load()
    },
  }))

export const useMemory = createMemoryStore(api)
