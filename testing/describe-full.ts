import { describe, test } from 'vitest'
import { isFull } from './fixtures/full.ts'

/**
 * Declares tests that only the full suite runs. The short one does not list them as skipped: in it nothing is.
 * @param ready whether this machine has what they need, such as real files
 */
export function describeFull(name: string, ready: boolean, tests: () => void): void {
  if (isFull) describe.runIf(ready)(name, tests)
}

/** Declares one test that only the full suite runs: a long one of what others try in less time. */
export function testFull(name: string, body: () => unknown, timeout?: number): void {
  if (isFull) test(name, timeout === undefined ? {} : { timeout }, async () => void (await body()))
}
