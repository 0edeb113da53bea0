import type { components } from '../sdk/src/index.ts'
import { UsageError } from './exit-codes.ts'
import type { Service } from './service.ts'

export type Edge = components['schemas']['ConversionEdge']
type Conversions = components['schemas']['Conversions']

/** What files can become: the service's catalogue, asked by file name. */
export interface Catalogue {
  maxConcurrentJobs: number
  /** All edges that a file of this name may take, or a format. */
  edgesOf(name: string): Edge[]
  /** The edge to a target, which may be called otherwise: `JPEG`, `.jpg`, `tar.gz`. */
  edge(name: string, target: string): Edge | undefined
  /** Whether a file of some format, or an archive of several, has this extension. */
  knows(extension: string): boolean
  all: Conversions
}

/** The catalogue of a service, with what it has beyond the contract. */
export async function loadCatalogue({ client }: Service, signal?: AbortSignal): Promise<Catalogue> {
  const all = await client.conversions({ extended: true }, signal)
  // A service that knows the contract alone ignores `extended`.
  const edges = Object.values(all.sourceFormatTo).flat()
  const accepts = new Map(all.conversions.map(({ job, inputFormats }) => [job, inputFormats]))
  /** What formats a suffix stands for: `jpeg` for `jpg`. */
  const formatsOf = new Map<string, Set<string>>()
  for (const { job, sourceFormat } of edges)
    for (const suffix of accepts.get(job) ?? [])
      formatsOf.set(suffix, (formatsOf.get(suffix) ?? new Set()).add(sourceFormat))
  const edgesOf = (name: string) => {
    const suffixes = suffixesOf(name)
    for (const suffix of suffixes) {
      const direct = edges.filter(({ sourceFormat }) => sourceFormat === suffix)
      const found = edges.filter(edge => accepts.get(edge.job)?.includes(suffix))
      const all = [...new Set([...direct, ...found])]
      if (all.length > 0) return all
    }
    return []
  }
  const extensions = new Set(['zip', ...edges.map(({ fileExtension }) => fileExtension)])
  return {
    all,
    knows: extension => extensions.has(extension),
    maxConcurrentJobs: all.maxConcurrentJobs,
    edgesOf,
    edge: (name, target) => {
      const called = target.toLowerCase().replace(/^\./, '')
      const found = edgesOf(name)
      return (
        found.find(({ targetFormat }) => targetFormat === called) ??
        found.find(({ fileExtension }) => fileExtension === called) ??
        found.find(({ targetFormat }) => formatsOf.get(called)?.has(targetFormat))
      )
    },
  }
}

/** The conversions of a file to one format after another, each of what the one before makes. */
export function edgesAlong(catalogue: Catalogue, name: string, targets: readonly string[]) {
  let from = name
  return targets.map(target => {
    const edge = catalogue.edge(from, target)
    from = edge?.fileExtension ?? target
    return { edge, targetFormat: edge?.targetFormat ?? target }
  })
}

/** The longest suffix first: `a.tar.gz` may be `tar.gz` or `gz`. */
function suffixesOf(name: string): string[] {
  const parts = name.toLowerCase().split('.')
  const tails = parts.slice(1).map((_, at) => parts.slice(at + 1).join('.'))
  return parts.length === 1 ? parts : tails.flatMap(tail => [tail, tail.replaceAll('.', '-')])
}

/**
 * Options given as `path=value`, such as `resize.preset=1080p`, as the object that the service takes. Values are JSON where they
 * can be, and text otherwise.
 * @throws UsageError for anything else
 */
export function readOptions(pairs: readonly string[]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const pair of pairs) {
    const [, path = '', value = ''] = /^([\w-]+(?:\.[\w-]+)*)=(.*)$/s.exec(pair) ?? []
    if (path === '') throw new UsageError(`--set takes NAME=VALUE, such as quality=80, not "${pair}".`)
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place = options
    for (const name of names) {
      const inner = Object.hasOwn(place, name) ? place[name] : {}
      if (typeof inner !== 'object' || inner === null)
        throw new UsageError(`--set gives "${name}" twice, as a value and as a group.`)
      place[name] = inner
      place = inner as Record<string, unknown>
    }
    place[last] = parseValue(value)
  }
  return options
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
