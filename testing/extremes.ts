/** The settings at which the options of a conversion are most likely to break its engine: the ends of their ranges. */
import type { OptionField, OptionGroup, OptionProperties } from '../service/convert/catalogue/options.ts'

/** One option at one of its values. */
export interface Setting {
  path: string
  value: boolean | number | string
}

const isGroup = (option: OptionField | OptionGroup): option is OptionGroup => option.type === 'object'

/**
 * Every option with each value that may be chosen, or the ends of its range. Texts have none, and options that depend on a
 * certain file, such as a part of a recording, are left out.
 */
export function extremesOf(options: OptionProperties, path: readonly string[] = []): Setting[][] {
  return Object.entries(options).flatMap(([name, option]) => {
    const own = [...path, name]
    if (option['x-per-file']) return []
    if (isGroup(option)) return extremesOf(option.properties, own)
    const values = valuesOf(option)
    return values.length > 0 ? [values.map(value => ({ path: own.join('.'), value }))] : []
  })
}

function valuesOf({ type, enum: choices, minimum, maximum }: OptionField): Setting['value'][] {
  if (choices) return [...choices]
  if (type === 'boolean') return [false, true]
  return [minimum, maximum].filter(value => value !== undefined)
}

/** The options object in which these settings are made. */
export function withSettings(settings: readonly Setting[]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const { path, value } of settings) {
    const names = path.split('.')
    let group = options
    for (const name of names.slice(0, -1)) {
      group[name] ??= {}
      group = group[name] as Record<string, unknown>
    }
    group[names.at(-1) as string] = value
  }
  return options
}

/**
 * Combinations in which every two values of different options meet once: nearly all faults need no more than two.
 * Each begins with the first pair that is still missing and takes, option by option, the value with most new pairs.
 */
function pairwise(options: readonly (readonly Setting[])[]): Setting[][] {
  const pairs = new Set<string>()
  const key = (a: Setting, b: Setting) => [a, b].map(({ path, value }) => `${path}=${value}`).join(' & ')
  for (const [index, one] of options.entries())
    for (const other of options.slice(index + 1))
      for (const a of one) for (const b of other) pairs.add(key(a, b))
  const rows: Setting[][] = []
  while (pairs.size > 0) {
    const row: Setting[] = []
    for (const values of options) {
      const gain = (value: Setting) => row.filter(before => pairs.has(key(before, value))).length
      const open = (value: Setting) =>
        [...pairs].filter(pair => pair.startsWith(`${value.path}=${value.value} & `)).length
      row.push(values.toSorted((a, b) => gain(b) - gain(a) || open(b) - open(a))[0] as Setting)
    }
    const before = pairs.size
    for (const [index, a] of row.entries()) for (const b of row.slice(index + 1)) pairs.delete(key(a, b))
    // No new pair: what is left starts a row of its own.
    if (pairs.size === before) pairs.delete(pairs.values().next().value as string)
    rows.push(row)
  }
  return rows.length > 0 ? rows : options.flatMap(values => values.map(value => [value]))
}

/** The same as cases of a test, each with what it is called. */
export const extremeCases = (options: OptionProperties) =>
  pairwise(extremesOf(options)).map(
    settings =>
      [
        settings.map(({ path, value }) => `${path.replace(/.*\./, '')} ${value}`).join(', '),
        settings,
      ] as const,
  )
