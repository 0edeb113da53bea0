/**
 * Mobipocket links refer to bytes of the text. The element that begins at such a byte gets an id; if there is text at the
 * byte, an anchor is inserted before it.
 */

import { attributeIn, type Insertion } from '../markup/tag.ts'

/** Elements whose id is preserved in the result. */
const CARRIES_ID =
  /^<(?:a|abbr|b|big|blockquote|br|center|cite|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span|strike|strong|sub|sup|table|td|th|tr|tt|u|ul)(?=[\s/>])/i
/** Longest tag that is searched around a byte. */
const TAG_BYTES = 4096
/** White space between the byte and its target; end tags and page breaks are skipped as well. */
const BETWEEN = /(?:\s|&nbsp;)+/y

const FILEPOS = /\bfilepos\s*=\s*["']?\s*(\d{1,10})/gi

export interface Mobi6Anchors {
  /** In order. */
  insertions: Insertion[]
  /** Position and id of the anchor of a byte; the id is empty if nothing follows the byte. */
  byPosition: ReadonlyMap<number, { at: number; id: string }>
}

/**
 * @param source the text, one character per byte
 * @param body start and end of its body
 * @param others bytes to which indexes refer
 */
export function findAnchors(
  source: string,
  body: { start: number; end: number },
  others: readonly number[],
): Mobi6Anchors {
  const positions = new Set(others)
  for (const [, digits] of source.matchAll(FILEPOS)) positions.add(Number(digits))
  const byPosition = new Map<number, { at: number; id: string }>()
  const byPlace = new Map<number, string>()
  const insertions: Insertion[] = []
  let next = { from: -1, at: -1 }
  for (const position of [...positions].sort((first, second) => first - second)) {
    if (position >= source.length) continue
    const from = Math.max(body.start, tagStart(source, position))
    // Bytes close to each other refer to the same element.
    const at = from >= next.from && from <= next.at ? next.at : meantBy(source, from, body.end)
    next = { from, at }
    if (at >= body.end) {
      byPosition.set(position, { at: body.end - 1, id: '' })
      continue
    }
    let id = byPlace.get(at)
    if (id === undefined) {
      const own = ownId(source, at)
      id = own ?? `at-${position}`
      if (own === undefined) insertions.push(anchor(source, at, id))
      byPlace.set(at, id)
    }
    byPosition.set(position, { at, id })
  }
  return { insertions, byPosition }
}

/** Start of the tag that contains the byte; the byte itself if it is not in a tag. */
function tagStart(source: string, position: number): number {
  const from = Math.max(0, position - TAG_BYTES)
  const before = source.slice(from, position)
  const open = before.lastIndexOf('<')
  return open > before.lastIndexOf('>') ? from + open : position
}

/** The first possible link target from there on: an element that can have an id, or text. */
function meantBy(source: string, from: number, end: number): number {
  let at = from
  while (at < end) {
    BETWEEN.lastIndex = at
    if (BETWEEN.test(source)) at = BETWEEN.lastIndex
    if (source[at] !== '<') return Math.min(at, end)
    const head = source.slice(at, at + 16)
    if (CARRIES_ID.test(head)) return at
    const close = source.indexOf('>', at)
    // A `<` that does not begin a tag is text.
    if (close < 0 || !/^<[A-Za-z/!?]/.test(head)) return at
    at = close + 1
  }
  return end
}

function ownId(source: string, at: number): string | undefined {
  if (source[at] !== '<') return undefined
  const tag = source.slice(at, source.indexOf('>', at) + 1)
  const id = attributeIn(tag, 'id')
  // Ids that are not ASCII would have to be decoded.
  return id && /^[\x21-\x7e]+$/.test(id) ? id : undefined
}

function anchor(source: string, at: number, id: string): Insertion {
  const [tag] = CARRIES_ID.exec(source.slice(at, at + 16)) ?? []
  return tag ? { at: at + tag.length, text: ` id="${id}"` } : { at, text: `<a id="${id}"></a>` }
}
