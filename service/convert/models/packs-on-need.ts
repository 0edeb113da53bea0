/** Packs that a conversion turns out to need are downloaded by themselves, unless the operator forbids it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Message } from '../../shared/messages/message.ts'
import type { Pack } from './model.ts'
import type { Models } from './models.ts'
import { packs as all } from './packs.ts'

/** How long a conversion waits for packs, and how much longer for each byte; a slower download goes on, for the next one. */
const WAIT_MS = 60_000
const WAIT_MS_PER_BYTE = 1 / 250
/** How long no font is requested after one could not be fetched, so that no conversion waits for a network that is away. */
const REST_MS = 600_000

/**
 * Fetches packs, with the checks and the resuming of downloads that a person asks for. What it gives takes English names of scripts that no
 * font was found for, or ids of other packs, and tells whether a pack is here now that may have been missing, and why one is not.
 */
export function packsOnNeed(packs: Models<Pack>) {
  let failed: { problem: Message; at: number } | undefined
  return async (names: readonly string[], signal: AbortSignal) => {
    const wanted = all.filter(({ id, script }) => names.includes(script ?? id))
    // Without a font, the conversion would have gone on.
    const isSpare = wanted.every(({ script }) => script)
    if (isSpare && failed && performance.now() - failed.at < REST_MS)
      return { hasNew: false, problem: failed.problem }
    const fetching = Promise.all(wanted.map(({ id }) => packs.fetch(id)))
    const bytes = wanted.reduce((sum, pack) => sum + pack.bytes, 0)
    const waiting = delay(WAIT_MS + bytes * WAIT_MS_PER_BYTE, undefined, { signal, ref: false })
    const states = (await Promise.race([fetching, waiting])) ?? []
    const problem = states.find(state => state?.problem)?.problem
    failed = problem ? { problem, at: performance.now() } : undefined
    return { hasNew: states.some(state => state?.state === 'installed'), ...(problem && { problem }) }
  }
}
