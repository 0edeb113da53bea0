import type { Catalogue } from '../api/contract.ts'
import type { Values } from '../forms/schema.ts'

/** What a rule makes of its files, while it is being made. */
export interface Chosen {
  /** Format of the files; null for files of every kind, whose options nobody knows. */
  source: string | null
  target: string | null
  options: Values
  /** Id of the preset that the target and the options are of. */
  preset: string | null
}

type Edges = Pick<Catalogue, 'conversions' | 'sourceFormatTo'> | null

export const sourcesOf = (catalogue: Edges): string[] =>
  Object.keys(catalogue?.sourceFormatTo ?? {}).toSorted()

/** What files of a format can become, or all files. */
export function targetsOf(catalogue: Edges, source: string | null): string[] {
  const { sourceFormatTo = {} } = catalogue ?? {}
  const edges = source === null ? Object.values(sourceFormatTo).flat() : (sourceFormatTo[source] ?? [])
  return [...new Set(edges.map(({ targetFormat }) => targetFormat))].toSorted()
}

/** The pattern for files of a format, by all the endings that it has: `*.{jpg,jpeg}`. */
export function patternOf(catalogue: Edges, source: string | null): string {
  if (source === null) return '*'
  const jobs = new Set(catalogue?.sourceFormatTo[source]?.map(({ job }) => job))
  const accepted = catalogue?.conversions.filter(({ job }) => jobs.has(job)) ?? []
  const endings = new Set([source.replaceAll('-', '.'), ...(accepted[0]?.inputFormats ?? [])])
  const [first, ...others] = endings
  return others.length === 0 ? `*.${first}` : `*.{${[...endings].join(',')}}`
}
