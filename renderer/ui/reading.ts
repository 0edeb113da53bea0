import { useEffect } from 'react'
import { create } from 'zustand'

/** A store that reads something from the service. */
export interface Reading<Value = unknown> {
  /** Null until it was read. */
  value: Value | null
  /** Whether the last read had no answer. What was read before stays. */
  failed: boolean
  load(): Promise<void>
}

type Change<Value> = Partial<Reading<Value>> | ((state: Reading<Value>) => Partial<Reading<Value>>)

type Set<Value> = (change: Change<Value>) => void

/** The reading part of a store: only the answer to the last question counts. */
export function reading<Value>(set: Set<Value>, read: () => Promise<Value>): Reading<Value> {
  let asked = 0
  return {
    value: null,
    failed: false,
    async load() {
      const question = ++asked
      const answer = await read().catch(() => null)
      if (question === asked) set(answer === null ? { failed: true } : { value: answer, failed: false })
    },
  }
}

/** A store that does nothing but read. */
export const readingStore = <Value>(read: () => Promise<Value>) =>
  create<Reading<Value>>()(set => reading(set, read))

/** How the list that a store has read follows what is done with one of its things; nothing changes before it was read. */
export function listOf<Item extends { id: string }>(set: Set<readonly Item[]>) {
  const edit = (change: (list: readonly Item[]) => readonly Item[]) =>
    set(({ value }) => ({ value: value && change(value) }))
  return {
    edit,
    replace: (item: Item) => edit(list => list.map(each => (each.id === item.id ? item : each))),
    drop: (id: string) => edit(list => list.filter(each => each.id !== id)),
  }
}

/** Reads when a component is first shown. */
export function useReading({ load }: Pick<Reading, 'load'>): void {
  useEffect(() => void load(), [load])
}
