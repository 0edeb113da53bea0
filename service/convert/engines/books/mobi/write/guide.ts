import { guideTypes } from '../../book/landmarks.ts'
import type { Book } from '../../book/model.ts'
import { TAGS } from '../format/tags.ts'
import type { Locate, TextPosition } from './contents.ts'
import { IndexStrings, indexRecords } from './index-table.ts'

/** Types of landmarks that the guide of EPUB 2 does not have. */
const ownTypes: Readonly<Record<string, string>> = {
  footnotes: 'notes',
  rearnotes: 'notes',
  backmatter: 'other.backmatter',
  frontmatter: 'other.frontmatter',
}

export interface GuideEntry {
  type: string
  title: string
  /** With its fragment. */
  href: string
  place: TextPosition
}

/** The places in a book that readers offer as destinations, one per type. */
export function guideEntries({ landmarks }: Book, locate: Locate): GuideEntry[] {
  const found = new Map<string, GuideEntry>()
  for (const { type, title, href } of landmarks) {
    const [first = ''] = type.trim().split(/\s+/)
    const name = guideTypes.get(first) ?? ownTypes[first] ?? first
    const place = locate(href)
    if (name === '' || name.length > 60 || !place || found.has(name) || /[^\x21-\x7e]/.test(name)) continue
    found.set(name, { type: name, title: title || name, href, place })
  }
  return [...found.values()].sort((a, b) => (a.type < b.type ? -1 : 1))
}

/** The start of reading, if the book declares it. */
export const startOf = (entries: readonly GuideEntry[]): number | undefined =>
  (entries.find(({ type }) => type === 'text') ?? entries.find(({ type }) => type === 'start'))?.place
    .position

/** The guide as a KF8 index; no records if it is empty. */
export function guideRecords(entries: readonly GuideEntry[]): Uint8Array[] {
  if (entries.length === 0) return []
  const strings = new IndexStrings()
  const rows = entries.map(({ type, title, place }) => ({
    label: type,
    values: {
      [TAGS.guide.title]: [strings.add(title)],
      [TAGS.guide.place]: [place.fragment ?? 0, place.offset ?? 0],
    },
  }))
  return indexRecords(
    [
      [TAGS.guide.title, 1],
      [TAGS.guide.place, 2],
    ],
    rows,
    strings,
  )
}
