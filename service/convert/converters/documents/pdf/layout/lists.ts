import { running, type Vocabulary } from './content.ts'
import type { TextDraft } from './drafts.ts'
import { type Line, lineOf } from './lines.ts'
import { type Marker, markerAt } from './markers.ts'
import type { Block, BlockPosition, List, ListItem, TextSpan } from './model.ts'
import { segmentsOf } from './table-runs.ts'

/** A paragraph with a list marker. */
export interface ListEntry {
  draft: TextDraft
  marker: Marker
  content: TextSpan[]
  /** Distance of its marker, and of its text, from the edge of the column. */
  markAt: number
  textAt: number
  /** Blocks that follow it and belong to it. */
  blocks: Block[]
  place?: BlockPosition | undefined
}

export function entryOf(draft: TextDraft, vocabulary: Vocabulary): ListEntry | null {
  const [first, ...rest] = draft.lines
  if (!first || first.words.length < 2) return null
  const marker = markerAt(first)
  if (!marker) return null
  // A dash or a dot within a line of text is not a marker.
  if (first.words[1]!.order === first.words[0]!.order + 1 && first.words[1]!.joined) return null
  const content = running([lineOf(first.words.slice(1)), ...rest], vocabulary)
  return {
    draft,
    marker,
    content,
    markAt: first.words[0]!.x - draft.left,
    textAt: first.words[1]!.x - draft.left,
    blocks: [],
  }
}

/** Groups consecutive entries into lists, nested by the indentation of their markers. */
export function nested(entries: readonly ListEntry[]): List[] {
  const top: List[] = []
  const open: { list: List; at: number; style: string; last: number }[] = []
  for (const entry of entries) {
    const { markAt, marker, draft } = entry
    const tolerance = draft.size * 0.6
    while (open.length > 0 && open.at(-1)!.at > markAt + tolerance) open.pop()
    let current = open.at(-1)
    const deeper = current && markAt > current.at + tolerance
    if (current && !deeper && current.style !== marker.style) {
      // Another kind of marker at the same indentation starts a list within the previous entry, unless it continues an outer
      // list.
      const known = open.findLastIndex(({ style, last }) => style === marker.style && follows(marker, last))
      if (known >= 0) open.length = known + 1
      else if (open.length > 1 || marker.ordered !== current.list.ordered) open.pop()
      current = known >= 0 ? open.at(-1) : undefined
    }
    const item: ListItem = {
      content: entry.content,
      blocks: entry.blocks,
      ...(entry.place && { place: entry.place }),
    }
    if (current && !deeper) {
      current.list.items.push(item)
      current.last = marker.number
      continue
    }
    const list: List = {
      kind: 'list',
      ordered: marker.ordered,
      start: marker.ordered ? marker.number : 1,
      items: [item],
      page: draft.page,
    }
    const parent = open.at(-1)
    if (parent) parent.list.items.at(-1)!.blocks.push(list)
    else top.push(list)
    open.push({ list, at: markAt, style: marker.style, last: marker.number })
  }
  return top
}

const follows = (marker: Marker, last: number) => !marker.ordered || marker.number === last + 1

/** Lines of which those that count 1, 2, 3, …, apart from their text, have a full stop after the number. */
export function withFullStops(lines: readonly Line[]): Line[] {
  const marked = [...lines]
  for (let from = 0; from < lines.length; from++) {
    if (!isNumberedLine(lines[from]!, 1) || isBelowHeader(lines, from)) continue
    const [first, text] = lines[from]!.words
    const found = [from]
    for (let next = from + 1; next < lines.length; next++) {
      const line = lines[next]!
      const isNear = (x: number) => Math.abs(line.x - x) < line.size
      if (isNumberedLine(line, found.length + 1) && isNear(first!.x)) found.push(next)
      // An entry may go on below its text.
      else if (!isNear(text!.x) || segmentsOf(line).length > 1) break
    }
    if (found.length < 2) continue
    for (const index of found) {
      const [mark, ...rest] = lines[index]!.words
      marked[index] = { ...lines[index]!, words: [{ ...mark!, text: `${mark!.text}.` }, ...rest] }
    }
    from = found.at(-1)!
  }
  return marked
}

function isNumberedLine(line: Line, number: number): boolean {
  const [mark, text] = segmentsOf(line)
  return (
    mark?.words.length === 1 &&
    mark.words[0]!.text === String(number) &&
    text !== undefined &&
    segmentsOf(line).length === 2 &&
    /\p{L}/u.test(text.words[0]!.text)
  )
}

/** Whether the line above has cells, too: the header of a table. */
const isBelowHeader = (lines: readonly Line[], at: number) => at > 0 && segmentsOf(lines[at - 1]!).length > 1
