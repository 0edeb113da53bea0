/** Index of the last of items, which are in order, that is not behind a place; -1 if all of them are. */
export function lastUpTo<Item>(
  items: readonly Item[],
  place: number,
  placeOf: (item: Item) => number,
): number {
  let last = -1
  for (let high = items.length - 1; last < high; ) {
    const middle = (last + high + 1) >> 1
    if (placeOf(items[middle]!) <= place) last = middle
    else high = middle - 1
  }
  return last
}
