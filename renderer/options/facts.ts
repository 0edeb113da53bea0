import type { FileFacts } from '../../service/shared/file-facts.ts'
import type { Facts } from '../forms/schema.ts'

/**
 * Combines the facts about several files, for options that apply to all of them: an option stays if it is relevant for
 * one. Sizes and lengths that differ become unknown.
 */
export function factsOfAll(files: readonly FileFacts[]): Facts {
  const [first, ...others] = files.map(numbersOf)
  if (!first) return {}
  const common: Record<string, number | boolean> = {}
  for (const [name, value] of Object.entries(first)) {
    const values = [value, ...others.map(facts => facts[name])]
    const known = values.filter(found => found !== undefined)
    if (known.length < values.length) continue
    if (SIZES.has(name)) {
      if (known.every(found => found === known[0]) && known[0] !== undefined) common[name] = known[0]
    } else common[name] = typeof value === 'boolean' ? known.some(Boolean) : Math.max(...known.map(Number))
  }
  return common
}

/** Facts that options can depend on. */
const numbersOf = (facts: FileFacts): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => typeof value !== 'string'))

/** Facts that are shown as numbers, and are meaningless for several different files. */
const SIZES = new Set(['width', 'height', 'seconds', 'fps'])
