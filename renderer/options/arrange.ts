/** Selects which options of a conversion come first. */
import type { OptionField, OptionGroup, OptionProperties } from '../../service/convert/catalogue/options.ts'
import { inside, isGroup, isShown, type Values } from '../forms/schema.ts'

/** Options that are shown before "All options", besides those of the rank of the last one. */
const FIRST = 4

interface Item {
  path: string
  schema: OptionField | OptionGroup
  /** Rank among the most used ones; undefined for all others. */
  rank: number | undefined
}

/** Options in display order: groups with a rank or their own control as a whole, others field by field. */
function* itemsOf(properties: OptionProperties, values: Values, prefix = ''): Generator<Item> {
  for (const [key, schema] of Object.entries(properties)) {
    const path = `${prefix}${key}`
    const rank = schema['x-order']
    if (isGroup(schema) && !schema['x-control'] && rank === undefined) {
      yield* itemsOf(schema.properties, inside(values, key), `${path}.`)
    } else if (isGroup(schema) || (!schema['x-replaced'] && isShown(schema, properties, values)))
      yield { path, schema, rank }
  }
}

/**
 * Dotted paths of the relevant options that people use most: those with a rank, or, if there are none, the first in order.
 */
export function firstPaths(properties: OptionProperties, values: Values): ReadonlySet<string> {
  const items = [...itemsOf(properties, values)]
  const ranked = items.filter(({ rank }) => rank !== undefined)
  const first = ranked.length > 0 ? ranked.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)) : items
  const last = first[FIRST - 1]?.rank
  const shown = first.filter(({ rank }, index) => index < FIRST || (rank !== undefined && rank === last))
  return new Set(shown.map(({ path }) => path))
}

/** The same with the password in front, for a file that could not be read so far: it may need one. */
export function withPasswordFirst(properties: OptionProperties): OptionProperties {
  const { password, ...others } = properties
  if (!password || isGroup(password)) return properties
  return { password: { ...password, 'x-order': 0 }, ...others }
}

/** Number of relevant options besides those that are shown first. */
export const countOthers = (
  properties: OptionProperties,
  values: Values,
  first: ReadonlySet<string>,
): number => [...itemsOf(properties, values)].filter(({ path }) => !first.has(path)).length
