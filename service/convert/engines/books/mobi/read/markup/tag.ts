import { lastUpTo } from '../../../../common/search.ts'

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
  let number = lastUpTo(insertions, start - 1, ({ at }) => at) + 1
  for (let next = insertions[number]; next && next.at < end; next = insertions[++number]) {
    parts.push(source.slice(last, next.at), next.text)
    last = next.at
  }
  return parts.join('') + source.slice(last, end)
}
