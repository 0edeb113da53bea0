/** The last choices for each format, as stored by the service. */
import { create } from 'zustand'
import type { ChosenPair } from '../../../../service/web/app/types.ts'
import { api, type Client } from '../../../api/client.ts'
import type { Values } from '../../../forms/schema.ts'
import { pairOf } from '../../../options/schemas.ts'

export interface LastChoices {
  /** The last target of a format. */
  targetOf(format: string): string | undefined
  /** The last options of a pair: those that differ from the defaults and are not about a single file. */
  optionsOf(format: string, target: string): Values | undefined
}

export interface MemoryState extends LastChoices {
  /** Without the service nothing is remembered, and everything starts with the defaults. */
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
      // The service decides what it stores of them.
      await get().load()
    },
  }))

export const useMemory = createMemoryStore(api)
