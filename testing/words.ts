/** How much of a text survived a conversion, and in which order. */

const WORD = /[\p{L}\p{N}]+/gu

/** Words of a text; in scripts without spaces, its characters. */
export const wordsOf = (text: string): string[] =>
  [...text.normalize('NFKC').matchAll(WORD)].flatMap(([word]) =>
    /\p{Script=Han}/u.test(word) ? [...word] : [word],
  )

/** Share of the source's words that the result contains, counting repetitions. */
export function wordRecall(source: readonly string[], result: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const word of result) counts.set(word, (counts.get(word) ?? 0) + 1)
  let found = 0
  for (const word of source) {
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    found += 1
    counts.set(word, left - 1)
  }
  return found / source.length
}

/** Length of the longest common subsequence of two texts, as a share of the source's words: 1 if all are in order. */
export function orderScore(source: readonly string[], result: readonly string[]): number {
  let row = new Uint32Array(result.length + 1)
  for (const word of source) {
    const next = new Uint32Array(result.length + 1)
    for (let index = 0; index < result.length; index++) {
      next[index + 1] = word === result[index] ? row[index]! + 1 : Math.max(next[index]!, row[index + 1]!)
    }
    row = next
  }
  return row[result.length]! / source.length
}

/** Harmonic mean of precision and recall of the cells of a table that are in the right row and column. */
export function cellScore(
  truth: readonly (readonly string[])[],
  found: readonly (readonly string[])[],
): number {
  const cells = (rows: readonly (readonly string[])[]) =>
    new Set(rows.flatMap((row, y) => row.flatMap((cell, x) => (cell === '' ? [] : [`${y} ${x} ${cell}`]))))
  const [wanted, given] = [cells(truth), cells(found)]
  const right = [...given].filter(cell => wanted.has(cell)).length
  return (2 * right) / (wanted.size + given.size)
}
