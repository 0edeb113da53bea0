import type { Import } from './graph.ts'
import type { Rule } from './rule.ts'

/** Whether a path is `place` or inside it. */
const within = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

/** The rule for a file; of several matching places, the narrowest one counts. */
const ruleFor = (path: string, rules: readonly Rule[]): Rule | undefined =>
  rules
    .filter(rule => within(path, rule.place))
    .toSorted((a, b) => b.place.length - a.place.length)
    .at(0)

/** Describes the imports that no rule allows. */
export function forbidden(imports: readonly Import[], rules: readonly Rule[]): string[] {
  return imports.flatMap(({ from, to, kind }) => {
    const rule = ruleFor(from, rules)
    if (!rule) return [`${from} is in no place with a rule; add one to setup/imports/rules.ts`]
    const places = [rule.place, ...(rule.code ?? []), ...(kind === 'types' ? (rule.types ?? []) : [])]
    if (places.some(place => within(to, place))) return []
    return [`${from} imports ${kind === 'types' ? 'types of ' : ''}${to}, which ${rule.place} may not`]
  })
}

/** Import chains from `start` that load a file below `place`, one for each such file apart from `but`. */
export function reached(imports: readonly Import[], start: string, place: string, but = ''): string[] {
  const chains = new Map([[start, [start]]])
  for (const [from, chain] of chains) {
    for (const edge of imports) {
      if (edge.from !== from || edge.kind !== 'code' || chains.has(edge.to)) continue
      chains.set(edge.to, [...chain, edge.to])
    }
  }
  return [...chains]
    .filter(([path]) => within(path, place) && path !== but)
    .map(([, chain]) => chain.join(' → '))
}

/** Import cycles, including those of types, each once; lazy imports do not count. */
export function cycles(imports: readonly Import[]): string[] {
  const next = Map.groupBy(
    imports.filter(({ kind }) => kind !== 'lazy'),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, chain: readonly string[]) => {
    const begin = chain.indexOf(path)
    if (begin >= 0) found.push([...chain.slice(begin), path].join(' → '))
    if (begin >= 0 || done.has(path)) return
    for (const { to } of next.get(path) ?? []) visit(to, [...chain, path])
    done.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  return found
}
