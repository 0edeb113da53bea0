/** Which options of a conversion come first. */
import type { OptionField, OptionGroup, OptionProperties } from '../../service/catalogue/options.ts'
import { isGroup, isRecord, isShown, type Values } from '../forms/schema.ts'

/** Options that are shown before "All options". */
const FIRST = 3

interface Item {
  path: string
  schema: OptionField | OptionGroup
  /** Place among those that are touched first; undefined for all others. */
  rank: number | undefined
}

/** Options as they are shown: groups with a place or a control of their own in one piece, others field by field. */
function* itemsOf(properties: OptionProperties, values: Values, prefix = ''): Generator<Item> {
  for (const [key, schema] of Object.entries(properties)) {
    const path = `${prefix}${key}`
    const rank = schema['x-first']
    if (isGroup(schema) && !schema['x-control'] && rank === undefined) {
      const value = values[key]
      yield* itemsOf(schema.properties, isRecord(value) ? value : {}, `${path}.`)
    } else if (isGroup(schema) || isShown(schema, properties, values)) yield { path, schema, rank }
  }
}

/**
 * Dotted paths of the options that people touch first, of those that matter now: the ones with a place, or without any the
 * first in order.
 */
export function firstPaths(properties: OptionProperties, values: Values): ReadonlySet<string> {
  const items = [...itemsOf(properties, values)]
  const placed = items.filter(({ rank }) => rank !== undefined)
  const first = placed.length > 0 ? placed.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)) : items
  return new Set(first.slice(0, FIRST).map(({ path }) => path))
}

/** How many options matter now beside those that are shown first. */
export const countOthers = (
  properties: OptionProperties,
  values: Values,
  first: ReadonlySet<string>,
): number => [...itemsOf(properties, values)].filter(({ path }) => !first.has(path)).length
