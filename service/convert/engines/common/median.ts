/** The value in the middle of some values; of an even number of them, the upper one of the two. */
export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((one, other) => one - other)[values.length >> 1]

/** The value that occurs most often, of several the first; 0 without any. */
export function mostFrequent(values: Iterable<number>): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [value] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])
  return value
}
