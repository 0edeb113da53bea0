/** Reads the table of contents and the guide from the indexes of the book. */
import { isDamage } from '../../../common/damage.ts'
import type { Landmark, NavigationEntry, SpineItem } from '../../book/model.ts'
import { TAGS } from '../format/tags.ts'
import type { Container } from './container.ts'
import { type IndexTable, readIndex } from './index-table.ts'

/** The text of a book in reading order, with its navigation. */
export interface Documents {
  spine: SpineItem[]
  navigation: NavigationEntry[]
  landmarks: Landmark[]
}

export interface ContentsEntry {
  title: string
  /** Byte in the text, in Mobipocket. */
  position: number | undefined
  /** Fragment and offset, in KF8. */
  place: { fragment: number; offset: number } | undefined
  depth: number
  parent: number | undefined
}

export interface GuideEntry {
  type: string
  title: string
  place: { fragment: number; offset: number }
}

/** Maximum nesting of entries; deeper ones become siblings of their parents. */
const DEPTH_LIMIT = 30

/** Entries in the order of the index; none if it is damaged, since the book can be read without them. */
export function readContents(container: Container): ContentsEntry[] {
  const table = tolerant(container, container.header.contentsIndex)
  return (table?.entries ?? []).map(({ tags }) => ({
    title: textOf(table, tags.get(TAGS.contents.title)?.[0]),
    position: tags.get(TAGS.contents.position)?.[0],
    place: placeOf(tags.get(TAGS.contents.place)),
    depth: tags.get(TAGS.contents.depth)?.[0] ?? 0,
    parent: tags.get(TAGS.contents.parent)?.[0],
  }))
}

export function readGuide(container: Container): GuideEntry[] {
  const table = tolerant(container, container.header.guideIndex)
  return (table?.entries ?? []).flatMap(({ label, tags }) => {
    const place = placeOf(tags.get(TAGS.guide.place))
    return place ? [{ type: label, title: textOf(table, tags.get(TAGS.guide.title)?.[0]), place }] : []
  })
}

function tolerant({ records, header }: Container, number: number | undefined): IndexTable | undefined {
  if (number === undefined) return undefined
  try {
    return readIndex(records, header.record + number, header.decoder)
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

function textOf(table: IndexTable | undefined, offset: number | undefined): string {
  try {
    return table?.text(offset).replace(/\s+/g, ' ').trim() ?? ''
  } catch {
    return ''
  }
}

const placeOf = ([fragment, offset]: readonly number[] = []) =>
  fragment === undefined || offset === undefined ? undefined : { fragment, offset }

/**
 * Nests entries. Indexes list them level by level with their parents, or in reading order with only their depths.
 * @param hrefOf the target of an entry; entries without a target and without children are left out
 */
export function nest(
  entries: readonly ContentsEntry[],
  hrefOf: (entry: ContentsEntry) => string | undefined,
): NavigationEntry[] {
  const made = entries.map(
    (entry): NavigationEntry => ({ title: entry.title, href: hrefOf(entry) ?? null, children: [] }),
  )
  const top: NavigationEntry[] = []
  const depths: number[] = []
  /** The latest entry of each depth, for entries without a parent. */
  const last: NavigationEntry[] = []
  for (const [index, { depth, parent }] of entries.entries()) {
    const entry = made[index]!
    // Only an earlier entry can be its parent, which prevents cycles.
    const isNamed = parent !== undefined && parent < index && (depths[parent] ?? 0) < DEPTH_LIMIT
    const level = Math.min(depth, last.length, DEPTH_LIMIT)
    const holder = isNamed ? made[parent] : parent === undefined && level > 0 ? last[level - 1] : undefined
    depths[index] = isNamed ? depths[parent]! + 1 : holder ? level : 0
    ;(holder?.children ?? top).push(entry)
    last.length = level
    last[level] = entry
  }
  return withoutDead(top)
}

const withoutDead = (entries: NavigationEntry[]): NavigationEntry[] =>
  entries.flatMap(entry => {
    const children = withoutDead(entry.children)
    if (entry.href === null && children.length === 0) return []
    return [{ ...entry, title: entry.title || '—', children }]
  })
