/** The value in the middle of some values; of an even number of them, the upper one of the two. */
export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((one, other) => one - other)[values.length >> 1]
