import {
  hasLeftToRight,
  hasRightToLeft,
  isRightToLeft,
  isUnspaced,
} from '../../../../engines/common/language/script.ts'
import type { TextLook } from '../../../../engines/documents/model.ts'
import type { Rectangle, TextItem } from '../../../../engines/pdf/content/types.ts'
import { append, appendSpace, type TextSpan } from './model.ts'

/** A word with its position in the page's content and its link target. */
export interface Word extends TextItem {
  order: number
  link?: string
  /** Index of the target page. */
  leadsTo?: number
  look?: TextLook
  /** Comments on what ends with it. */
  comments?: { key: string; text: string }[]
}

/** The words of one line. */
export interface Line extends Rectangle {
  /** From left to right. */
  words: Word[]
  baseline: number
  /** The size of most of its text. */
  size: number
  right: number
  /** Whether dots connect two parts of it, as before the page numbers of a table of contents. */
  leaders: boolean
  rightToLeft: boolean
}

/** The outermost edges of lines. */
export const edgesOf = (lines: readonly Line[]): { left: number; right: number } => ({
  left: Math.min(...lines.map(line => line.x)),
  right: Math.max(...lines.map(line => line.right)),
})

export const NUMERIC = /^[\p{Sc}\s()+\-–−\d.,%/:']+$/u

export const isNumber = (text: string) => /\d/.test(text) && NUMERIC.test(text)

/** The most common key of words, weighted by the amount of text, for example the size of most letters. */
export function dominant<Key>(words: readonly Word[], keyOf: (word: Word) => Key): Key | undefined {
  const totals = new Map<Key, number>()
  for (const word of words) {
    const key = keyOf(word)
    totals.set(key, (totals.get(key) ?? 0) + word.text.length)
  }
  let best: Key | undefined
  let most = 0
  for (const [key, amount] of totals)
    if (amount > most) {
      best = key
      most = amount
    }
  return best
}

export const sizeOf = (words: readonly Word[]): number =>
  dominant(words, word => Math.round(word.size * 4) / 4) ?? 10

/** Baselines of one line differ by less than this share of the size. */
const BASELINE_TOLERANCE = 0.25
/** Superscripts and subscripts are smaller than this, and off the baseline by up to that. */
const SMALL = 0.82
const RAISED = 0.65
const LOWERED = 0.35
/** They touch the text they belong to, and are next to it. */
const TOUCH = 0.35
const BESIDE = 0.3
const LEAD = 1.6

/** Sorts words into lines, from top to bottom; superscripts and subscripts join the line they belong to. */
export function linesOf(words: readonly Word[]): Line[] {
  const sorted = words.toSorted((one, other) => one.baseline - other.baseline || one.x - other.x)
  const groups: Word[][] = []
  let group: Word[] = []
  let baseline = Number.NaN
  for (const word of sorted) {
    const size = Math.min(word.size, group[0]?.size ?? word.size)
    if (group.length > 0 && word.baseline - baseline > size * BASELINE_TOLERANCE) {
      groups.push(group)
      group = []
    }
    if (group.length === 0) baseline = word.baseline
    group.push(word)
  }
  if (group.length > 0) groups.push(group)
  return attachSmall(groups.map(lineOf)).sort((one, other) => one.baseline - other.baseline)
}

/** Makes a line of at least one word. */
export function lineOf(all: Word[]): Line {
  const dots = all.filter(({ text }) => DOTS.test(text))
  const leaders = dots.length >= LEADERS || dots.some(({ text }) => text.length > LEADERS)
  const words = leaders && dots.length < all.length ? all.filter(word => !dots.includes(word)) : all
  words.sort((one, other) => one.x - other.x)
  const size = sizeOf(words)
  const main = words.filter(word => word.size >= size * SMALL)
  const x = Math.min(...words.map(word => word.x))
  const right = Math.max(...words.map(word => word.x + word.width))
  const baseline = dominant(main, word => word.baseline) ?? words[0]!.baseline
  return {
    words,
    baseline,
    size,
    x,
    right,
    y: baseline - size * 0.8,
    width: right - x,
    height: size,
    leaders,
    rightToLeft: isRightToLeft(words.map(word => word.text).join('')),
  }
}

const DOTS = /^[.·…_]+$/
/** Dot leaders: several single dots, or one piece. */
const LEADERS = 4

/** Joins lines of small letters with the adjacent line they touch. */
function attachSmall(lines: Line[]): Line[] {
  const rest: Line[] = []
  for (const [index, line] of lines.entries()) {
    let left = line.words
    for (const near of [lines[index - 1], lines[index + 1], lines[index - 2], lines[index + 2]]) {
      if (!near || line.size >= near.size * SMALL) continue
      const raise = (near.baseline - line.baseline) / near.size
      if (raise > RAISED || raise < -LOWERED) continue
      const touching = left.filter(word => touches(word, near))
      if (touching.length === 0) continue
      near.words.push(...touching)
      near.words.sort((one, other) => one.x - other.x)
      near.x = Math.min(near.x, ...touching.map(word => word.x))
      near.right = Math.max(near.right, ...touching.map(word => word.x + word.width))
      near.width = near.right - near.x
      left = left.filter(word => !touching.includes(word))
    }
    if (left.length > 0) rest.push(left.length === line.words.length ? line : lineOf(left))
  }
  return rest
}

function touches(word: Word, { words, size }: Line): boolean {
  let near = false
  for (const other of words) {
    if (word.size >= other.size * SMALL) continue
    const gap = Math.max(word.x - (other.x + other.width), other.x - (word.x + word.width))
    if (gap < -size * BESIDE) return false
    // The mark of a footnote is apart from its text.
    const leads = word.x + word.width <= words[0]!.x
    if (gap < size * (leads ? LEAD : TOUCH)) near = true
  }
  return near
}

/** Gaps narrower than this share of the size do not count as spaces. */
const NO_GAP = 0.08
/** Parts of words without spaces may be this far apart. */
const UNSPACED_GAP = 0.6

/** Text of a line in reading order. */
export function spansOf({ words, size, baseline, rightToLeft }: Line): TextSpan[] {
  const ordered = inReadingOrder(words, rightToLeft)
  const spans: TextSpan[] = []
  for (const [index, word] of ordered.entries()) {
    const before = ordered[index - 1]
    if (before && isSpaceBetween(before, word)) appendSpace(spans)
    const shift = baseline - word.baseline
    const small = word.size < size * SMALL
    append(spans, {
      text: word.text,
      ...(word.font.bold && { bold: true }),
      ...(word.font.italic && { italic: true }),
      ...(word.font.monospace && { code: true }),
      ...(small && shift > size * 0.12 && { superscript: true }),
      ...(small && shift < -size * 0.04 && { subscript: true }),
      ...(word.link && { link: word.link }),
      ...(word.look && { look: word.look }),
      ...(word.leadsTo !== undefined && { leadsTo: word.leadsTo }),
    })
    for (const { key } of word.comments ?? []) append(spans, { text: '*', footnote: key })
  }
  return spans
}

function isSpaceBetween(before: Word, after: Word): boolean {
  const [left, right] = before.x <= after.x ? [before, after] : [after, before]
  const gap = right.x - (left.x + left.width)
  const size = Math.max(before.size, after.size)
  if (gap < size * UNSPACED_GAP && isUnspaced(before.text, after.text)) return false
  // Where the writing direction changes, the order of the content is meaningless.
  const turns = hasRightToLeft(before.text) || hasRightToLeft(after.text)
  if (!turns && (after.order === before.order + 1 || before.order === after.order + 1)) {
    const second = after.order > before.order ? after : before
    return !second.joined && gap > -size * 0.5
  }
  return gap > size * NO_GAP
}

export const textOf = (line: Line): string =>
  spansOf(line)
    .map(span => span.text)
    .join('')

/**
 * Puts the words of a line, given from left to right, into reading order. In a right-to-left line, Latin words and the text
 * between them keep their order.
 */
function inReadingOrder<Item extends { text: string }>(words: readonly Item[], rightToLeft: boolean): Item[] {
  if (!rightToLeft && !words.some(({ text }) => hasRightToLeft(text))) return [...words]
  const against = rightToLeft ? hasLeftToRight : hasRightToLeft
  const along = rightToLeft ? hasRightToLeft : hasLeftToRight
  const ordered = rightToLeft ? words.toReversed() : [...words]
  for (let index = 0; index < ordered.length; index++) {
    if (!against(ordered[index]!.text)) continue
    let end = index
    for (let next = index + 1; next < ordered.length && !along(ordered[next]!.text); next++) {
      if (against(ordered[next]!.text)) end = next
    }
    const run = ordered.slice(index, end + 1).reverse()
    ordered.splice(index, run.length, ...run)
    index = end
  }
  return ordered
}
