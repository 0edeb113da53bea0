/** Where a PDF is cut into parts that follow each other: the numbers of the pages after which, from 1. */

/** The cuts of parts such as `1-3,4-6`; none of anything else, such as parts in another order. */
export function cutsOf(parts: unknown, pages: number): ReadonlySet<number> {
  const cuts = new Set<number>()
  let next = 1
  for (const part of typeof parts === 'string' ? parts.split(',') : []) {
    const [, first, to = first] = /^ *(\d+)(?:-(\d+))? *$/.exec(part) ?? []
    if (Number(first) !== next || !(Number(to) >= next && Number(to) <= pages)) return new Set()
    next = Number(to) + 1
    cuts.add(Number(to))
  }
  return cuts.delete(pages) ? cuts : new Set()
}

/** The parts between cuts; undefined without any. */
export function partsOf(cuts: ReadonlySet<number>, pages: number): string | undefined {
  if (cuts.size === 0) return undefined
  const ends = [...cuts, pages].sort((a, b) => a - b)
  return ends
    .map((end, index) => [(ends[index - 1] ?? 0) + 1, end])
    .map(([first, end]) => (first === end ? `${end}` : `${first}-${end}`))
    .join(',')
}
