/** The table of contents and the guide, as indexes of the book hold them. */
import type { NavigationEntry } from '../../book/model.ts'
import { TAGS } from '../format/tags.ts'
import type { Container } from './container.ts'
import { type IndexTable, readIndex } from './index-table.ts'

export interface ContentsEntry {
  title: string
  /** Byte in the text, of Mobipocket. */
  position: number | undefined
  /** Fragment and offset, of KF8. */
  place: { fragment: number; offset: number } | undefined
  depth: number
  parent: number | undefined
}

export interface GuideEntry {
  type: string
  title: string
  place: { fragment: number; offset: number }
}

/** Entries within each other; deeper ones stand beside their parents. */
const DEPTH_LIMIT = 30

/** Entries in the order of the index; none where it is damaged, since the book can be read without. */
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
    if (error instanceof RangeError) return undefined
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
 * Puts entries into one another. Indexes list them level by level and name the parents, or in reading order with depths
 * alone.
 * @param hrefOf where an entry leads; entries that lead nowhere and hold none are left out
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
  /** The last entry of each depth so far, for entries that name no parent. */
  const last: NavigationEntry[] = []
  for (const [index, { depth, parent }] of entries.entries()) {
    const entry = made[index]!
    // Only what stands before can hold it, so that none holds itself.
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
