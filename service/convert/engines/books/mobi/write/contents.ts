import type { NavigationEntry } from '../../book/model.ts'
import { TAGS } from '../format/tags.ts'
import { type IndexEntry, IndexStrings, indexRecords, type Tag } from './index-table.ts'

/** A place in the text of a part. */
export interface TextPosition {
  /** Byte position in the text as assembled by readers. */
  position: number
  /** In KF8: number of the fragment and byte offset in it. */
  fragment?: number
  offset?: number
}

/** Resolves an address within the book. */
export type Locate = (target: string) => TextPosition | undefined

interface Node {
  title: string
  place: TextPosition
  depth: number
  parent: Node | undefined
  children: Node[]
  number: number
  length: number
}

/** Maximum nesting of entries; deeper ones are moved to the deepest level. */
const MAX_DEPTH = 8

const { place: PLACE, ...SINGLE } = TAGS.contents

const tagsOf = (isKf8: boolean): Tag[] => [
  ...Object.values(SINGLE).map((tag): Tag => [tag, 1]),
  ...(isKf8 ? [[PLACE, 2] as const] : []),
]

/**
 * The index of a book's table of contents (NCX): all entries of the first level, then all of the second, and so on.
 * @param end end position of the last entry's text
 * @returns no records if no entry has a target
 */
export function contentsRecords(
  entries: readonly NavigationEntry[],
  locate: Locate,
  end: number,
  isKf8: boolean,
): Uint8Array[] {
  const nodes = byLevel(readEntries(entries, locate, 0, undefined))
  if (nodes.length === 0) return []
  measure(nodes, end)
  const strings = new IndexStrings()
  const digits = Math.max(2, 2 * Math.ceil(nodes.length.toString(16).length / 2))
  const indexEntries = nodes.map((node): IndexEntry => {
    const { place, children, parent } = node
    const numberOf = (other: Node | undefined) => (other ? [other.number] : undefined)
    const values = {
      [SINGLE.position]: [place.position],
      [SINGLE.length]: [node.length],
      [SINGLE.title]: [strings.add(node.title)],
      [SINGLE.depth]: [node.depth],
      [SINGLE.parent]: numberOf(parent),
      [SINGLE.firstChild]: numberOf(children[0]),
      [SINGLE.lastChild]: numberOf(children.at(-1)),
      [PLACE]: [place.fragment ?? 0, place.offset ?? 0],
    }
    return { label: node.number.toString(16).toUpperCase().padStart(digits, '0'), values }
  })
  return indexRecords(tagsOf(isKf8), indexEntries, strings)
}

/** Entries with a target; an entry without one gets that of its first child. */
const readEntries = (
  entries: readonly NavigationEntry[],
  locate: Locate,
  depth: number,
  parent: Node | undefined,
): Node[] =>
  entries.flatMap(({ title, href, children }) => {
    const isDeepest = depth + 1 >= MAX_DEPTH
    const text = title.replace(/\s+/g, ' ').trim() || '—'
    const node: Node = {
      title: text,
      place: { position: 0 },
      depth,
      parent,
      children: [],
      number: 0,
      length: 0,
    }
    const within = readEntries(children, locate, isDeepest ? depth : depth + 1, isDeepest ? parent : node)
    const place = (href === null ? undefined : locate(href)) ?? within[0]?.place
    if (!place) return []
    node.place = place
    if (isDeepest) return [node, ...within]
    node.children = within
    return [node]
  })

function byLevel(first: Node[]): Node[] {
  const nodes: Node[] = []
  for (let level = first; level.length > 0; level = level.flatMap(({ children }) => children)) {
    for (const node of level) {
      node.number = nodes.length
      nodes.push(node)
    }
  }
  return nodes
}

/** The text of an entry extends to the next entry on its level or a higher one. */
function measure(nodes: readonly Node[], end: number): void {
  const sorted = nodes.toSorted((a, b) => b.place.position - a.place.position)
  /** For each level, where the nearest entry of it or a higher one begins, of those further on. */
  const next = new Array<number>(MAX_DEPTH).fill(end)
  for (let from = 0; from < sorted.length; ) {
    const { position } = sorted[from]!.place
    let to = from
    while (to < sorted.length && sorted[to]!.place.position === position) to++
    const group = sorted.slice(from, to)
    for (const node of group) node.length = Math.max(0, next[node.depth]! - position)
    for (const { depth } of group) next.fill(position, depth)
    from = to
  }
}
