/** Joins the blocks of all pages to one document. */
import { codeOf, join, running, type Vocabulary } from './content.ts'
import type { Draft, PageDraft, TableDraft, TextDraft } from './drafts.ts'
import { type Notes, withReferences } from './footnotes.ts'
import { isNumber, spansOf } from './lines.ts'
import { entryOf, type ListEntry, nested } from './lists.ts'
import { CAPTION } from './markers.ts'
import { type Block, type BlockPosition, type Paragraph, plainText, type Table } from './model.ts'
import { RECOGNISED_FONT } from './scanned.ts'

interface Context {
  levels: Map<TextDraft, number>
  notes: Notes
  vocabulary: Vocabulary
  /** Places of the blocks, if they are wanted. */
  places: ReadonlyMap<Draft, BlockPosition>
}

export function assemble(pages: readonly PageDraft[], context: Context): Block[] {
  const drafts = pages.flatMap(page =>
    page.regions.flatMap(region => region.map(draft => ({ draft, page: page.index }))),
  )
  const blocks: Block[] = []
  /** The paragraph that the next one may continue, and the draft that its end comes from. */
  let open: { paragraph: Paragraph; draft: TextDraft } | undefined
  let entries: ListEntry[] = []
  let table: TablePart | undefined
  const closeList = () => {
    blocks.push(...nested(entries))
    entries = []
  }
  for (const [index, { draft, page }] of drafts.entries()) {
    const block = blockOf(draft, page, context)
    const place = context.places.get(draft)
    if (place && block.kind !== 'list') block.place = place
    if (place && draft.kind === 'table' && block.kind === 'table') block.width = draft.box.width
    if (draft.kind === 'text' && block.kind === 'paragraph') {
      const entry = context.levels.has(draft)
        ? null
        : listEntry(draft, context, drafts[index + 1]?.draft, entries)
      if (entry) {
        entry.content = withReferences(entry.content, page, context.notes)
        entry.place = place && hanging(place, entry)
        entries.push(entry)
        open = undefined
        continue
      }
      const last = entries.at(-1)
      if (last && belongsToEntry(last, draft, drafts[index + 1]?.draft)) {
        if (continues(last.draft, plainText(last.content), draft, plainText(block.content)))
          join(last.content, block.content, context.vocabulary)
        else last.blocks.push(block)
        continue
      }
      closeList()
      if (open && continues(open.draft, plainText(open.paragraph.content), draft, plainText(block.content))) {
        join(open.paragraph.content, block.content, context.vocabulary)
        open.draft = draft
        continue
      }
      blocks.push(block)
      open = { paragraph: block, draft }
      continue
    }
    // Tables, pictures and text at an angle float within a text, which continues after them.
    if (block.kind === 'heading' || block.kind === 'code') open = undefined
    closeList()
    const above = blocks.at(-1)
    if (block.kind === 'table' && draft.kind === 'table') {
      const part = { table: block, draft, page }
      if (table && continuesTable(table, part, blocks)) {
        table.table.rows.push(...block.rows.slice(repeatedRows(table.table, block)))
        table = { ...part, table: table.table }
        continue
      }
      table = part
    }
    if (block.kind === 'code' && above?.kind === 'code' && above.page !== block.page) {
      above.text += `\n${block.text}`
      continue
    }
    blocks.push(block)
  }
  closeList()
  return blocks
}

/** Lines of a centred or right-aligned text, which are broken where its author wanted it. */
const brokenLines = ({ lines }: TextDraft) =>
  lines.flatMap((line, index) => (index > 0 ? [{ text: '\n' }, ...spansOf(line)] : spansOf(line)))

function blockOf(draft: Draft, page: number, { levels, notes, places, vocabulary }: Context): Block {
  if (draft.kind === 'picture') return draft.picture
  if (draft.kind === 'table') {
    for (const cell of draft.table.rows.flat())
      if (cell) cell.content = withReferences(cell.content, page, notes)
    return { ...draft.table, headerRows: wholeHead(draft.table) }
  }
  if (draft.kind === 'slanted')
    return { kind: 'paragraph', content: withReferences(running(draft.lines, vocabulary), page, notes), page }
  if (draft.monospace) return { kind: 'code', text: codeOf(draft.lines), page }
  const align = places.get(draft)?.align
  const lines =
    align === 'center' || align === 'right' ? brokenLines(draft) : running(draft.lines, vocabulary)
  const content = withReferences(lines, page, notes)
  const level = levels.get(draft)
  if (level === undefined) return { kind: 'paragraph', content, page }
  // Bold is part of a heading's own style.
  const plain = content.map(({ bold: _bold, ...span }) => span)
  return { kind: 'heading', level, content: plain, page }
}

/** Number of header rows; below a head over several columns stand the heads of each. */
function wholeHead({ rows, headerRows }: Table): number {
  const last = rows[headerRows - 1]
  const isGroup = last?.some(cell => cell && cell.columns > 1 && cell.columns < last.length)
  const below = rows[headerRows]?.filter(cell => cell !== null && cell.content.length > 0) ?? []
  const isNamed = below.length > 1 && !below.some(cell => isNumber(plainText(cell!.content)))
  return isGroup && isNamed && headerRows + 1 < rows.length ? headerRows + 1 : headerRows
}

/** The place of a list entry, whose text stands beside its marker. */
function hanging(place: BlockPosition, { draft, markAt, textAt }: ListEntry): BlockPosition {
  const marker = draft.lines[0]!.x - place.band.columns[place.column]!.left
  return { ...place, align: 'left', left: marker + textAt - markAt, first: markAt - textAt }
}

/** A list entry; a single dash or number is an ordinary paragraph. */
function listEntry(
  draft: TextDraft,
  { vocabulary }: Context,
  next: Draft | undefined,
  before: ListEntry[],
): ListEntry | null {
  const entry = entryOf(draft, vocabulary)
  if (!entry) return null
  const mark = draft.lines[0]!.words[0]!.text
  const second = draft.lines[1]
  const hanging = second !== undefined && Math.abs(second.x - draft.lines[0]!.words[1]!.x) < draft.size * 0.4
  const sure = !entry.marker.ordered && (hanging || !/^[-–—*·]$/u.test(mark))
  if (sure || before.length > 0) return entry
  const following = next?.kind === 'text' ? entryOf(next, vocabulary) : null
  if (following && (following.marker.style === entry.marker.style || following.markAt > entry.markAt))
    return entry
  return entry.marker.ordered && /^\(?\d/.test(mark) && mark.length < 5 ? entry : null
}

/** Whether a paragraph belongs to an entry: it is below the entry's text, not below its marker. */
function belongsToEntry(entry: ListEntry, draft: TextDraft, next: Draft | undefined): boolean {
  const at = draft.lines[0]!.x - draft.left
  const within =
    Math.abs(at - entry.textAt) < draft.size * 0.5 && entry.textAt > entry.markAt + draft.size * 0.5
  const inColumn = draft.left === entry.draft.left
  const sameLook = Math.abs(draft.size - entry.draft.size) < 0.6
  if (within && inColumn && entry.textAt > draft.size && sameLook) return true
  // Split by the end of a column.
  const moreToCome = next?.kind === 'text' && entry.draft.open && !inColumn
  return moreToCome && sameLook && /^\p{Ll}/u.test(draft.lines[0]!.words[0]!.text)
}

const ENDED = /[.!?:;。！？：；؟]["'”’»)\]]*\s*$/u
const BEGINS_LOWER = /^["'“‘«(]?[\p{Ll}\p{N}]/u
const UNCASED = /^[\p{Lo}]/u

/** The size of recognised text depends on the letters of its page: without descenders it seems smaller. */
const sizeTolerance = ({ lines }: TextDraft) => (lines[0]!.words[0]!.font === RECOGNISED_FONT ? 0.35 : 0.05)

/** Whether a paragraph continues one that was split by a column, a page or a picture. */
function continues(before: TextDraft, text: string, draft: TextDraft, next: string): boolean {
  if (before.lines.at(-1) === draft.lines[0]) return false
  const sameColumn = before.page === draft.page && before.left === draft.left && before.right === draft.right
  const last = before.lines.at(-1)!
  const isBelow =
    sameColumn &&
    draft.lines[0]!.baseline > last.baseline &&
    draft.lines[0]!.baseline - last.baseline < draft.size * 3
  if (isBelow || draft.indented) return false
  if (Math.abs(before.size - draft.size) > draft.size * sizeTolerance(draft) || before.bold !== draft.bold)
    return false
  if (/[\p{L}\p{N}][-‐]$/u.test(text) && BEGINS_LOWER.test(next)) return true
  if (ENDED.test(text)) return false
  if (BEGINS_LOWER.test(next)) return true
  return !sameColumn && before.open && (UNCASED.test(next) || /[,(\p{Ll}]$/u.test(text))
}

/** The last part of a table, with its page. */
interface TablePart {
  table: Table
  draft: TableDraft
  page: number
}

const CONTINUED =
  /(?:cont(?:inued|['’]?d|\.)?|fortsetzung|fortgesetzt|suite|continuaci[oó]n|continuação|segue|続き|续)[.)\]]*$/iu
const TABLE_NOTE = /^(?:(?:source|note|quelle|anmerkung|remarque|fuente|fonte|nota)s?\b|[*†‡§])/iu

/**
 * Whether a table at the top of a page or column continues the one at the bottom of the previous one. Its caption and head may
 * be repeated, and notes may stand below the part before; a repeated caption is taken away.
 */
function continuesTable({ table: above, draft, page }: TablePart, next: TablePart, blocks: Block[]): boolean {
  const [one, other] = [draft.box, next.draft.box]
  if (above.rows[0]!.length !== next.table.rows[0]!.length) return false
  if (page === next.page ? other.y >= one.y : page !== next.page - 1) return false
  const start = blocks.indexOf(above)
  const textAt = (at: number) => {
    const block = blocks[at]
    return block?.kind === 'paragraph' || block?.kind === 'heading' ? plainText(block.content).trim() : ''
  }
  const label = CAPTION.exec(textAt(start - 1))?.[0]
  const between = blocks.slice(start + 1)
  const isRepeated = (text: string) =>
    CONTINUED.test(text) || (label !== undefined && CAPTION.exec(text)?.[0] === label)
  const captions = between.filter((_, index) => isRepeated(textAt(start + 1 + index)))
  const isNote = (_: Block, index: number) => TABLE_NOTE.test(textAt(start + 1 + index))
  if (!between.every((block, index) => captions.includes(block) || isNote(block, index))) return false
  const sameWidth = Math.abs(one.width - other.width) < one.width * 0.1
  if (!sameWidth && captions.length === 0 && repeatedRows(above, next.table) === 0) return false
  for (const caption of captions) blocks.splice(blocks.indexOf(caption), 1)
  return true
}

/** How many rows at the top of a table are the head of the part before. */
function repeatedRows(above: Table, { rows, headerRows }: Table): number {
  const textOf = (row: Table['rows'][number] | undefined) =>
    row?.map(cell => (cell ? plainText(cell.content) : '')).join('\t')
  const most = Math.min(rows.length - 1, Math.max(above.headerRows, headerRows, 1))
  const other = rows.findIndex((row, index) => index === most || textOf(row) !== textOf(above.rows[index]))
  return Math.max(0, other)
}
