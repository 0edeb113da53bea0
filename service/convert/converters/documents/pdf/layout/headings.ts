import { mostFrequent } from '../../../../engines/common/median.ts'
import type { OutlineEntry } from '../../../../engines/pdf/content/types.ts'
import type { TextDraft } from './drafts.ts'
import { dominant, textOf } from './lines.ts'
import { lettersOf } from './model.ts'

const LONGEST = 200
const LONGEST_BOLD = 120
/** Headings are larger than the text by at least this share. */
const LARGER = 1.12
const DEEPEST = 6
const SIZE_STEP = 1.07

/** The style of most text in a document. */
export interface BodyLook {
  size: number
  font: string
  bold: boolean
}

const NUMBERED = /^((?:\d+|[A-Z])(?:\.\d+)*)\.?\s+\p{Lu}/u
const LETTERS = /\p{L}/u
const SENTENCE = /[.,;:]$/u

const normalised = (text: string) => lettersOf(text.normalize('NFKC').replace(/^[\s\d.§]+/, ''))

/**
 * Level of every draft that is a heading, 1 to 6.
 * @param tags levels that the tags of each page give to its marked content
 */
export function headingLevels(
  drafts: readonly TextDraft[],
  body: BodyLook,
  outline: readonly OutlineEntry[],
  tags: ReadonlyMap<number, ReadonlyMap<number, number>> = new Map(),
): Map<TextDraft, number> {
  const tagged = taggedLevels(drafts, tags)
  // If the tags of a file mark headings, there are no others; many files have tags without headings.
  if ([...tagged.values()].some(level => level > 0))
    return new Map([...tagged].filter(([, level]) => level > 0))
  const named = namedIn(outline, drafts)
  const found: TextDraft[] = []
  const weak: TextDraft[] = []
  for (const [index, draft] of drafts.entries()) {
    // A line that leads to a page number is an entry of a table of contents.
    if (draft.monospace || draft.lines.length > 4 || draft.lines.some(line => line.leaders)) continue
    const text = draft.lines.map(textOf).join(' ').trim()
    if (text.length > LONGEST || !LETTERS.test(text)) continue
    if (named.has(draft)) found.push(draft)
    else if (draft.size >= body.size * LARGER && !(SENTENCE.test(text) && text.length > 80)) found.push(draft)
    else if (isWeakHeading(draft, text, body, drafts[index + 1])) weak.push(draft)
  }
  // If this much text is bold, bold does not indicate headings.
  if (weak.length <= drafts.length * 0.4) found.push(...weak)
  return levelsOf(found, named)
}

/** Levels from the tags of the text: 0 for text that is not a heading. */
function taggedLevels(
  drafts: readonly TextDraft[],
  tags: ReadonlyMap<number, ReadonlyMap<number, number>>,
): Map<TextDraft, number> {
  const found = new Map<TextDraft, number>()
  for (const draft of drafts) {
    const levels = tags.get(draft.page)
    if (!levels || levels.size === 0) continue
    const words = draft.lines.flatMap(line => line.words)
    const level = dominant(words, word => levels.get(word.content) ?? 0)
    if (level !== undefined) found.set(draft, level)
  }
  return found
}

/** Headings named by the outline, with their levels; if several lines of a page match, the largest one. */
function namedIn(outline: readonly OutlineEntry[], drafts: readonly TextDraft[]): Map<TextDraft, number> {
  const named = new Map<TextDraft, number>()
  if (outline.length === 0) return named
  const byText = new Map<string, TextDraft>()
  for (const draft of drafts) {
    if (draft.lines.length > 3) continue
    const key = `${draft.page} ${normalised(draft.lines.map(textOf).join(' '))}`
    const known = byText.get(key)
    if (!known || styleOf(draft).weight > styleOf(known).weight) byText.set(key, draft)
  }
  for (const { page, title, level } of outline) {
    const text = normalised(title)
    const draft = text.length > 1 ? byText.get(`${page} ${text}`) : undefined
    if (draft && !named.has(draft)) named.set(draft, level)
  }
  return named
}

/** A separate line that is bold, or is in another font and starts with a number. */
function isWeakHeading(draft: TextDraft, text: string, body: BodyLook, next: TextDraft | undefined): boolean {
  if (draft.lines.length > 2 || text.length > LONGEST_BOLD || SENTENCE.test(text)) return false
  if (draft.size < body.size * 0.97 || !next) return false
  if (draft.bold && !body.bold) return true
  const font = draft.lines[0]!.words.find(word => LETTERS.test(word.text))?.font.name
  return NUMBERED.test(text) && font !== body.font && draft.gapAbove > 1.5 && draft.lines.length === 1
}

/** Styles of headings; sizes that differ by a few per cent count as one. */
function styleOf({ size, bold, lines }: TextDraft): { key: string; weight: number } {
  const capital = lines.every(line => {
    const text = textOf(line)
    return text.length > 3 && text === text.toUpperCase()
  })
  const step = Math.round(Math.log(size) / Math.log(SIZE_STEP))
  const weight = step * 4 + (bold ? 2 : 0) + (capital ? 1 : 0)
  return { key: String(weight), weight }
}

interface Style {
  weight: number
  /** Levels that the outline gives to some of its headings. */
  levels: number[]
  drafts: TextDraft[]
}

/**
 * Headings of one style get one level: the level that the outline gives to most of them, or otherwise their rank among
 * recurring styles. A style that occurs once gets the level of the next smaller recurring style, except for a title above all
 * others.
 */
function levelsOf(headings: TextDraft[], named: Map<TextDraft, number>): Map<TextDraft, number> {
  const styles = new Map<string, Style>()
  for (const draft of headings) {
    const { key, weight } = styleOf(draft)
    const style = styles.get(key) ?? { weight, levels: [], drafts: [] }
    const level = named.get(draft)
    if (level !== undefined) style.levels.push(level)
    style.drafts.push(draft)
    styles.set(key, style)
  }
  const ranked = [...styles.values()].sort((one, other) => other.weight - one.weight)
  const recurring = ranked.filter(({ levels, drafts }) => drafts.length > 1 || levels.length > 0)
  const main = recurring.length > 0 ? recurring : ranked
  const ranks = new Map<Style, number>()
  const [largest] = ranked
  const hasTitle = largest !== main[0] && largest!.drafts[0]!.page === headings[0]!.page
  if (hasTitle) ranks.set(largest!, 1)
  let above = hasTitle && main[0]!.levels.length === 0 ? 1 : 0
  for (const style of main) {
    const level = Math.min(
      DEEPEST,
      style.levels.length > 0 ? mostFrequent(style.levels.toSorted((a, b) => a - b)) : above + 1,
    )
    above = Math.max(above, level)
    ranks.set(style, level)
  }
  const levels = new Map<TextDraft, number>()
  for (const style of ranked) {
    const rank = ranks.get(style) ?? ranks.get(main.find(({ weight }) => weight < style.weight)!) ?? above
    for (const draft of style.drafts) levels.set(draft, Math.min(DEEPEST, named.get(draft) ?? rank))
  }
  return levels
}
