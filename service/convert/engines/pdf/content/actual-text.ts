/** Replacement text of content that is drawn differently: `ActualText` of marked content and structure; ISO 32000-1, 14.9.4. */
import { type Rectangle, unionOf } from '../../common/rectangle.ts'
import { itemOf } from './fields.ts'
import type { ReplacedText, StructureElement, TextItem } from './types.ts'

/** Longest replacement text that is used. */
const LONGEST = 20_000
/** Height of drawn letters as a share of the font size. */
const DRAWN_HEIGHT = 0.75
const SOFT_HYPHEN = '\u00ad'

/** Vector graphics or a small picture in marked content. */
export interface DrawnContent extends Rectangle {
  content: number
  replaced?: ReplacedText | undefined
}

/** Replacement texts of structure elements, by number of marked content. */
export function replacedByStructure(roots: readonly StructureElement[]): Map<number, ReplacedText> {
  const found = new Map<number, ReplacedText>()
  const visit = (element: StructureElement, above: ReplacedText | undefined) => {
    const own = above ?? (element.text === undefined ? undefined : { text: element.text })
    for (const child of element.children) {
      if (typeof child !== 'number') visit(child, own)
      else if (own) found.set(child, own)
    }
  }
  for (const root of roots) visit(root, undefined)
  return found
}

/** Replaces words by the replacement text of their content, which is at the first of them. */
export function withActualText(
  items: readonly TextItem[],
  byStructure: ReadonlyMap<number, ReplacedText>,
): TextItem[] {
  const groups = Map.groupBy(items, item => byStructure.get(item.content) ?? item.replaced)
  groups.delete(undefined)
  if (groups.size === 0) return [...items]
  const replacements = new Map<TextItem, TextItem[]>()
  for (const [replaced, group] of groups) {
    const { text } = replaced!
    if (lettersOf(group.map(item => item.text).join('')) === lettersOf(text)) continue
    for (const item of group) replacements.set(item, [])
    replacements.set(group[0]!, replacing(group, text, items))
  }
  let apart = false
  return items.flatMap(item => {
    const [first, ...rest] = replacements.get(item) ?? [item]
    if (!first) {
      apart ||= !item.joined
      return []
    }
    const joined = first.joined && !apart
    apart = false
    return [joined === first.joined ? first : { ...first, joined }, ...rest]
  })
}

const lettersOf = (text: string) => text.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}]/gu, '')

function replacing(group: readonly TextItem[], text: string, items: readonly TextItem[]): TextItem[] {
  const first = group[0]!
  const line = group.filter(({ baseline }) => Math.abs(baseline - first.baseline) < first.size / 2)
  const x = Math.min(...line.map(item => item.x))
  const right = Math.max(...line.map(item => item.x + item.width))
  if (text.replace(/[\p{Cf}\s]/gu, '') === '') {
    // A soft hyphen is a hyphen at the end of a line, and nothing within a line.
    const next = items[items.indexOf(group.at(-1)!) + 1]
    const isWithin = next && Math.abs(next.baseline - first.baseline) < first.size / 2
    return text.includes(SOFT_HYPHEN) && !isWithin ? [{ ...first, text: '-' }] : []
  }
  return positioned(text, { ...first, x, width: right - x })
}

/** The words of a text, side by side in the area of one item. */
function positioned(text: string, place: TextItem): TextItem[] {
  const letters = text.slice(0, LONGEST).replace(/\p{Cc}/gu, ' ')
  const share = place.width / Math.max(1, letters.trim().length)
  const words = [...letters.trim().matchAll(/\S+/gu)]
  return words.map(({ 0: word, index }, position) => ({
    ...place,
    text: word.replace(/[\p{Cf}]/gu, '').normalize('NFC'),
    x: place.x + index * share,
    width: word.length * share,
    joined: position === 0 && place.joined && !/^\s/u.test(text),
  }))
}

/** Words that are drawn as vector graphics, taken from their replacement texts. */
export function drawnWords(
  drawn: readonly DrawnContent[],
  byStructure: ReadonlyMap<number, ReplacedText>,
): { words: TextItem[]; taken: Set<DrawnContent> } {
  const groups = Map.groupBy(drawn, part => part.replaced ?? byStructure.get(part.content))
  groups.delete(undefined)
  const words: TextItem[] = []
  for (const [replaced, group] of groups) {
    const { text } = replaced!
    const box = unionOf(group)!
    const item = itemOf('', box.x, box.y + box.height, box.width, box.height / DRAWN_HEIGHT)
    words.push(...positioned(text, { ...item, ...box, content: group[0]!.content }))
  }
  return { words, taken: new Set([...groups.values()].flat()) }
}
