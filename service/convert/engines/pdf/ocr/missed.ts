/** Finds what Tesseract's analysis of a page misses beside the words of a row: lone dashes, and numbers in a narrow column. */

import { overlap, type Rectangle } from '../../common/rectangle.ts'
import type { Pixels } from '../../pictures/pixels.ts'
import type { ReadLine, ReadWord } from './model.ts'

/** Grey that is ink. */
const INK = 128
/** Lengths as shares of the height of a row: its letters above and below the baseline, and gaps within one word. */
const [ABOVE, BELOW, GAP] = [0.78, 0.05, 0.35]
/** Longest word that is looked for, and its least height. */
const [LONGEST, LEAST] = [4, 0.4]
/** A dash: its height, its widths, and its middle over the baseline. */
const DASH = { height: 0.15, least: 0.2, most: 1.7, low: 0.12, high: 0.5 }
/** Tesseract doubts a dash that stands alone; below this confidence its form decides. */
const SURE = 0.7
/** More places on a row or on a page are noise or a picture rather than words. */
const [ROW_PLACES, PLACES] = [8, 120]

type Place = Rectangle

/**
 * Adds the words to the lines of their rows.
 * @param read reads a part of the page as a single line
 */
export function addMissed(lines: ReadLine[], page: Pixels, read: (place: Place) => ReadWord[]): ReadLine[] {
  const level = lines.filter(line => line.level && line.words.length > 0)
  for (const line of level)
    line.words = line.words.flatMap(word => (isDoubtfulDash(word) && dashIn(word, line)) || [word])
  const known = level.flatMap(({ words }) => words)
  const added: ReadWord[] = []
  let tried = 0
  for (const line of level) {
    const places = placesBeside(line, page, [...known, ...added])
    if (places.length > ROW_PLACES) continue
    tried += places.length
    if (tried > PLACES) break
    for (const place of places) {
      const words = dashIn(place, line) ?? (place.height >= line.height * LEAST ? wordAt(place, read) : [])
      for (const word of words) insert(word, line)
      added.push(...words)
    }
  }
  // A column of numbers is first taken for a line that runs up or down.
  return added.length === 0
    ? lines
    : lines.map(line =>
        line.level
          ? line
          : { ...line, words: line.words.filter(word => !added.some(one => overlap(one, word))) },
      )
}

/** What is read at a place, as one word: reading it alone parts the full stop from a number. */
function wordAt(place: Place, read: (place: Place) => ReadWord[]): ReadWord[] {
  const words = read(place)
  if (words.length === 0) return []
  const text = words.map(word => word.text).join(' ')
  const confidence = Math.min(...words.map(word => word.confidence))
  return [{ ...place, text: text.replace(/ (?=[.):])/g, ''), confidence }]
}

/** Inserts a word from left to right; a full stop that was read on its own joins it. */
function insert(word: ReadWord, { words, height }: ReadLine): void {
  const found = words.findIndex(({ x }) => x > word.x)
  const at = found < 0 ? words.length : found
  const next = words[at]
  const isStop = next && /^[.):]$/.test(next.text) && next.x - word.x - word.width < height * GAP
  const text = isStop ? word.text.replace(/[.):]$/, '') + next.text : word.text
  words.splice(at, isStop ? 1 : 0, {
    ...word,
    text,
    width: (isStop ? next.x + next.width : word.x + word.width) - word.x,
  })
}

/** Where there is ink on a row, but no word. */
function placesBeside(
  { baseline, height }: ReadLine,
  { data, width, height: bottom }: Pixels,
  known: readonly ReadWord[],
): Place[] {
  const from = Math.max(0, Math.round(baseline - height * ABOVE))
  const to = Math.min(bottom, Math.round(baseline + height * BELOW))
  const words = known.filter(({ y, height: own }) => y < to && y + own > from)
  const covered = new Uint8Array(width)
  for (const { x, width: own } of words) covered.fill(1, Math.max(0, x - 2), x + own + 2)
  const places: (Place & { isRule: boolean })[] = []
  for (let x = 0; x < width; x++) {
    if (covered[x]) continue
    let [first, last, count] = [to, from, 0]
    for (let y = from; y < to; y++) {
      if (data[y * width + x]! >= INK) continue
      first = Math.min(first, y)
      last = y
      count++
    }
    if (count === 0) continue
    const isRule = count === to - from
    const place = places.at(-1)
    if (!place || x - place.x - place.width > height * GAP) {
      places.push({ x, y: first, width: 1, height: last - first + 1, isRule })
      continue
    }
    const end = Math.max(place.y + place.height, last + 1)
    place.y = Math.min(place.y, first)
    place.height = end - place.y
    place.width = x - place.x + 1
    place.isRule ||= isRule
  }
  return places
    .filter(place => !place.isRule && place.width < height * LONGEST)
    .map(({ isRule: _, ...place }) => place)
}

const isDoubtfulDash = ({ text, confidence }: ReadWord) => confidence < SURE && /^[-–—]+$/.test(text)

/** The place as a dash, if its ink has the form of one. */
function dashIn({ x, y, width, height }: Place, line: ReadLine): ReadWord[] | undefined {
  const middle = (line.baseline - y - height / 2) / line.height
  const share = width / line.height
  const isDash =
    height <= line.height * DASH.height &&
    share >= DASH.least &&
    share <= DASH.most &&
    middle > DASH.low &&
    middle < DASH.high
  if (!isDash) return undefined
  return [{ text: share < 0.45 ? '-' : share < 0.8 ? '–' : '—', x, y, width, height, confidence: 0.9 }]
}
