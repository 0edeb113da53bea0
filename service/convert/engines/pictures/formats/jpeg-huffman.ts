/** Longest code of JPEG, in bits. */
const LONGEST = 16

/**
 * Huffman codes for symbols that are so frequent (ITU-T T.81, annex K.2).
 * @returns the number of codes of each length, the symbols by their codes, and the code of each symbol
 */
export function bestCodes(counts: Uint32Array) {
  // No code may consist of ones alone: a symbol that does not exist gets it.
  const groups = [...counts, 1].flatMap((count, symbol) => (count > 0 ? [{ count, symbols: [symbol] }] : []))
  const sizes = Array<number>(257).fill(0)
  while (groups.length > 1) {
    groups.sort((a, b) => b.count - a.count || a.symbols.length - b.symbols.length)
    const [a, b] = groups.splice(-2)
    const symbols = [...a!.symbols, ...b!.symbols]
    for (const symbol of symbols) sizes[symbol]!++
    groups.push({ count: a!.count + b!.count, symbols })
  }
  const lengths = Array<number>(64).fill(0)
  for (const size of sizes) if (size > 0) lengths[size]!++
  // Two codes that are too long make room by lengthening a shorter one.
  for (let size = lengths.length - 1; size > LONGEST; size--)
    for (; lengths[size]! > 0; lengths[size]! -= 2) {
      const shorter = lengths.findLastIndex((count, at) => at < size - 1 && count > 0)
      lengths[size - 1]!++
      lengths[shorter + 1]! += 2
      lengths[shorter]!--
    }
  lengths[lengths.findLastIndex(count => count > 0)]!--
  const symbols = [...counts.keys()]
    .filter(symbol => sizes[symbol]! > 0)
    .sort((a, b) => sizes[a]! - sizes[b]! || a - b)
  const bySymbol: { code: number; size: number }[] = []
  for (let size = 1, code = 0, next = 0; size <= LONGEST; size++, code <<= 1)
    for (let left = lengths[size]!; left > 0; left--) bySymbol[symbols[next++]!] = { code: code++, size }
  return { lengths: lengths.slice(1, LONGEST + 1), symbols, bySymbol }
}
