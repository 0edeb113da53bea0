import { useEffect } from 'react'

/** A store that reads something from the service. */
export interface Reading {
  /** Whether the last read had no answer. What was read before stays. */
  failed: boolean
  load(): Promise<void>
}

/** The reading part of a store: only the answer to the last question counts. */
export function reading<State>(
  set: (part: Partial<State> | Pick<Reading, 'failed'>) => void,
  read: () => Promise<Partial<State>>,
): Reading {
  let asked = 0
  return {
    failed: false,
    async load() {
      const question = ++asked
      const answer = await read().catch(() => null)
      if (question === asked) set(answer ? { ...answer, failed: false } : { failed: true })
    },
  }
}

/** Reads when a component is first shown. */
export function useReading({ load }: Reading): void {
  useEffect(() => void load(), [load])
}
