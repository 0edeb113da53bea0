/** An attribute of a tag as it is written; undefined if the tag has none. */
export function attributeIn(tag: string, name: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
  const [, double, single, plain] = pattern.exec(tag) ?? []
  return double ?? single ?? plain
}

export interface Insertion {
  at: number
  text: string
}

/** A piece of a text with what is to be inserted in it, which must be in order. */
export function withInsertions(
  source: string,
  insertions: readonly Insertion[],
  start = 0,
  end = source.length,
): string {
  const parts: string[] = []
  let last = start
  let low = 0
  for (let high = insertions.length; low < high; ) {
    const middle = (low + high) >> 1
    if (insertions[middle]!.at < start) low = middle + 1
    else high = middle
  }
  for (let next = insertions[low]; next && next.at < end; next = insertions[++low]) {
    parts.push(source.slice(last, next.at), next.text)
    last = next.at
  }
  return parts.join('') + source.slice(last, end)
}
