interface Entry<Self> {
  /** 1 for the highest. */
  level: number
  children: Self[]
}

/** Puts each entry among the children of the last one of a higher level, in place. @returns those without such a one */
export function nestByLevel<Self extends Entry<Self>>(entries: Iterable<Self>): Self[] {
  const top: Self[] = []
  const path: Self[] = []
  for (const entry of entries) {
    while (path.length > 0 && path.at(-1)!.level >= entry.level) path.pop()
    const siblings = path.at(-1)?.children ?? top
    siblings.push(entry)
    path.push(entry)
  }
  return top
}
