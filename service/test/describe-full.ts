import { describe } from 'vitest'
import { isFull } from './full.ts'

/**
 * Declares tests that only the full suite runs. The short one does not list them as skipped: in it nothing is.
 * @param ready whether this machine has what they need, such as sample files
 */
export function describeFull(name: string, ready: boolean, tests: () => void): void {
  if (isFull) describe.runIf(ready)(name, tests)
}
