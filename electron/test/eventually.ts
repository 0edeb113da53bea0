import { vi } from 'vitest'

/** Waits until `look` no longer throws, with enough time for a busy machine. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: 30_000, interval: 20 })
