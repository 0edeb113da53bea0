/** Determines the category of a file from its name, before the service has analysed it. */
import type { TargetChoice } from '../../../../service/web/app/types.ts'
import type { Catalogue } from '../../../api/contract.ts'

/** A job type contains its source: `image.heic-to-jpg`. */
const sourceOfJob = (job: string): string => /\.(.+?)-to-/.exec(job)?.[1] ?? ''

/**
 * Category by suffix. A format's own conversions determine it, those of a group such as all media files only if there are none.
 */
export function kindsBySuffix(catalogue: Pick<Catalogue, 'conversions'>): ReadonlyMap<string, string> {
  const own = new Map<string, string>()
  const grouped = new Map<string, string>()
  for (const { job, category, inputFormats } of catalogue.conversions) {
    const isOwn = inputFormats.includes(sourceOfJob(job))
    for (const format of inputFormats) {
      const map = isOwn ? own : grouped
      if (!map.has(format)) map.set(format, category)
    }
  }
  return new Map([...grouped, ...own])
}

/** Category of a name by its suffix, of which `tar.gz` comes before `gz`; null if nothing is known of either. */
export function kindOfName(name: string, known: ReadonlyMap<string, string>): string | null {
  const parts = name.toLowerCase().split('.')
  return known.get(parts.slice(-2).join('.')) ?? known.get(parts.at(-1) ?? '') ?? null
}

/** Category of an analysed file: its first target is one of the format's own. */
export const kindOfFile = (file: { targets: readonly Pick<TargetChoice, 'category'>[] }): string | null =>
  file.targets[0]?.category ?? null
