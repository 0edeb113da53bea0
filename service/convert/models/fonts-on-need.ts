/** Fonts that a document turns out to need are downloaded by themselves, unless the operator forbids it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Message } from '../../shared/messages/message.ts'
import type { LanguagePack } from './model.ts'
import type { Models } from './models.ts'
import { scriptFonts } from './script-fonts.ts'

/** How long a conversion waits for fonts; a slower download goes on, for the next one. */
const WAIT_MS = 60_000
/** How long nothing is requested after a font could not be fetched, so that no conversion waits for a network that is away. */
const REST_MS = 600_000

/**
 * Fetches the fonts of scripts, with the checks and the resuming of downloads that a person asks for. What it gives takes the English names
 * of scripts that no font was found for, and tells whether a font is here now that may have been missing, and why one is not.
 */
export function fontsOnNeed(packs: Models<LanguagePack>) {
  let failed: { problem: Message; at: number } | undefined
  return async (scripts: readonly string[], signal: AbortSignal) => {
    if (failed && performance.now() - failed.at < REST_MS) return { hasNew: false, problem: failed.problem }
    const wanted = scriptFonts.filter(({ script }) => script && scripts.includes(script))
    const fetching = Promise.all(wanted.map(({ id }) => packs.fetch(id)))
    const states = (await Promise.race([fetching, delay(WAIT_MS, undefined, { signal, ref: false })])) ?? []
    const problem = states.find(state => state?.problem)?.problem
    failed = problem ? { problem, at: performance.now() } : undefined
    return { hasNew: states.some(state => state?.state === 'installed'), ...(problem && { problem }) }
  }
}
