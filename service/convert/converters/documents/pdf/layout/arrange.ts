/** Arranges what was read from pages as blocks in reading order. */
import type { OutlineEntry, PageContent, Rectangle } from '../../../../engines/pdf/content/types.ts'
import { alignedTables } from './aligned-tables.ts'
import { assemble } from './assemble.ts'
import { regionsOf } from './columns.ts'
import { type Vocabulary, vocabularyOf } from './content.ts'
import type { Draft, PageDraft, PictureDraft, TableDraft, TextDraft } from './drafts.ts'
import { takeFootnotes } from './footnotes.ts'
import { withoutFurniture } from './furniture.ts'
import { type BodyLook, headingLevels } from './headings.ts'
import { dominant, edgesOf, type Line, linesOf, sizeOf, type Word } from './lines.ts'
import { withFullStops } from './lists.ts'
import type { TextDocument } from './model.ts'
import { groupLines } from './paragraphs.ts'
import { isInside, ruledTables } from './ruled-tables.ts'
import { slantedParagraphs } from './slanted.ts'
import type { SourcePage } from './source-page.ts'
import { placesOf, textArea } from './styles.ts'
import { boundedTables } from './table-areas.ts'
import { taggedTables } from './tags.ts'

/** The blocks and footnotes of a document; with `styled`, the area of its text and where each block stands. */
export function blocksOf(
  pages: readonly SourcePage[],
  outline: readonly OutlineEntry[],
  styled: boolean,
): Pick<TextDocument, 'blocks' | 'footnotes' | 'textArea'> {
  const texts = withoutFurniture(
    pages.map(({ content, words, pictures }) => ({
      index: content.index,
      height: content.height,
      words,
      hasPictures: pictures.length > 0,
    })),
  )
  const all = [...texts.values()].flat()
  const vocabulary = vocabularyOf(all)
  const body = bodyLook(all)
  const drafts = pages.map(page =>
    layOut(page, texts.get(page.content.index) ?? [], vocabulary, body.monospace),
  )
  const notes = takeFootnotes(drafts, body.size, vocabulary)
  for (const { comments = [] } of all) for (const { key, text } of comments) notes.texts.set(key, [{ text }])
  const textDrafts = drafts
    .flatMap(({ regions }) => regions.flat())
    .filter((draft): draft is TextDraft => draft.kind === 'text')
  const tags = new Map(pages.map(page => [page.content.index, page.tags.levels]))
  const levels = headingLevels(textDrafts, body, outline, tags)
  const slanted = slantedParagraphs(pages.map(({ content }) => content))
  const complete = drafts.map(draft => ({
    ...draft,
    regions: [...draft.regions, slanted.get(draft.index) ?? []],
  }))
  const area = textArea(complete)
  const places = new Map(
    styled ? complete.flatMap((page, number) => [...placesOf(page, area, pages[number]!.content.boxes)]) : [],
  )
  return {
    blocks: assemble(complete, { levels, notes, vocabulary, places }),
    footnotes: notes.texts,
    ...(styled && { textArea: area }),
  }
}

function bodyLook(words: readonly Word[]): BodyLook & { monospace: boolean } {
  return {
    size: dominant(words, word => Math.round(word.size * 2) / 2) ?? 10,
    font: dominant(words, word => word.font.name) ?? '',
    bold: dominant(words, word => word.font.bold) ?? false,
    monospace: dominant(words, word => word.font.monospace) ?? false,
  }
}

/** Blocks of a page in reading order. */
function layOut(page: SourcePage, words: Word[], vocabulary: Vocabulary, monospace: boolean): PageDraft {
  const { content } = page
  // A document that is entirely monospaced, as from a typewriter, has no code.
  const own = monospace ? words.map(word => ({ ...word, font: { ...word.font, monospace: false } })) : words
  const tagged = taggedTables(page.tags.tables, own, vocabulary, content.index)
  const ruled = ruledTables(content, tagged.rest, vocabulary)
  const bounded = boundedTables(content, ruled.rest, vocabulary)
  const tables = [...ruled.tables, ...bounded.tables]
  const items: (TableDraft | PictureDraft)[] = [
    ...[...tagged.tables, ...tables].map(
      ({ table, box }): TableDraft => ({
        kind: 'table',
        table: { ...table, ruled: hasRulings(content, box) },
        box,
      }),
    ),
    ...page.pictures.map(
      ({ picture, box, content: marked }): PictureDraft => ({
        kind: 'picture',
        picture: {
          kind: 'picture',
          picture,
          width: content.vertical ? box.height : box.width,
          height: content.vertical ? box.width : box.height,
          alternative: page.tags.alternatives.get(marked) ?? '',
          page: content.index,
        },
        box,
      }),
    ),
  ]
  const regions = regionsOf(bounded.rest, items).map(region =>
    draftsOf(region.lines, region.items, content, vocabulary),
  )
  placeMarginNotes(regions)
  // Rotated text comes after the rest of the page.
  for (const { text } of content.turned) {
    const lines = linesOf(text.filter(item => !item.artefact).map((item, order) => ({ ...item, order })))
    regions.push(draftsOf(lines, [], content, vocabulary))
  }
  return { index: content.index, width: content.width, height: content.height, regions }
}

/** Margin notes are smaller than the text beside them, and in a column narrower by this share. */
const NOTE_SIZE = 0.92
const NOTE_WIDTH = 0.45
/** Paragraphs of one note are no further apart than this multiple of their size. */
const TOGETHER = 2

/** Moves the notes in a margin behind the paragraphs beside which they begin; what stands together in it stays so. */
function placeMarginNotes(regions: Draft[][]): void {
  const parts = regions.flatMap(drafts => {
    const lines = drafts.flatMap(draft => (draft.kind === 'text' ? draft.lines : []))
    if (lines.length === 0) return []
    const size = sizeOf(lines.flatMap(({ words }) => words))
    return { drafts, ...edgesOf(lines), size, top: lines[0]!.y, bottom: lines.at(-1)!.baseline }
  })
  for (const part of parts) {
    if (part.drafts.some(draft => draft.kind !== 'text')) continue
    const beside = parts.find(
      ({ left, right, size, top, bottom }) =>
        part.size < size * NOTE_SIZE &&
        part.right - part.left < (right - left) * NOTE_WIDTH &&
        (part.right < left || part.left > right) &&
        part.top > top - size * 2 &&
        part.bottom < bottom + size * 2,
    )
    if (!beside) continue
    let last: Draft | undefined
    for (const draft of part.drafts.splice(0) as TextDraft[]) {
      const { baseline } = draft.lines[0]!
      const isBelow = (other: Draft) =>
        other.kind === 'text' && other.lines[0]!.baseline > baseline + other.size
      const next =
        last && draft.gapAbove < TOGETHER ? beside.drafts.indexOf(last) + 1 : beside.drafts.findIndex(isBelow)
      beside.drafts.splice(next < 0 ? beside.drafts.length : next, 0, draft)
      last = draft
    }
  }
}

const hasRulings = ({ rulings }: PageContent, box: Rectangle) =>
  rulings.some(({ x1, y1, x2, y2 }) => isInside({ x: x1, y: y1, width: x2 - x1, height: y2 - y1 }, box))

function draftsOf(
  found: Line[],
  items: readonly (TableDraft | PictureDraft)[],
  content: PageContent,
  vocabulary: Vocabulary,
): Draft[] {
  const lines = withFullStops(found)
  const drafts: { top: number; draft: Draft }[] = items.map(draft => ({
    top: draft.box.y + draft.box.height / 2,
    draft,
  }))
  const { left, right } = edgesOf(lines)
  const addText = (part: Line[]) => {
    for (const group of groupLines(part, left, right))
      drafts.push({ top: group.lines[0]!.baseline, draft: { ...group, kind: 'text', page: content.index } })
  }
  let from = 0
  for (const { table, box, from: first, to } of alignedTables(lines, content, vocabulary, content.index)) {
    addText(lines.slice(from, first))
    drafts.push({ top: lines[first]!.baseline, draft: { kind: 'table', table, box } })
    from = to
  }
  addText(lines.slice(from))
  return drafts.sort((one, other) => one.top - other.top).map(({ draft }) => draft)
}
