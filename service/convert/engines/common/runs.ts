/** Items in runs: each belongs to the run before it, or begins one. */
export function inRuns<Item>(
  items: Iterable<Item>,
  belongs: (run: readonly Item[], item: Item) => boolean,
): Item[][] {
  const runs: Item[][] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (last && belongs(last, item)) last.push(item)
    else runs.push([item])
  }
  return runs
}
