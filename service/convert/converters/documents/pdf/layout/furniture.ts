/** Removes page furniture: running heads, running feet and page numbers. */
import { type Line, linesOf, sizeOf, textOf, type Word } from './lines.ts'
import { segmentsOf } from './table-runs.ts'

/** Share of the page height, at the top and at the bottom, that contains them. */
const MARGIN = 0.13
/** How far beyond it a line with superscripts or subscripts may be, in points. */
const MARK_REACH = 24
/** Number of lines at each end that are checked. */
const LINES = 3
/** Tolerance for the same place on different pages, in points. */
const SAME_PLACE = 4
/** On a single page they are apart from the text by this multiple of its size, and smaller than it by this share. */
const APART = 2
const SMALLER = 0.95

interface Candidate {
  page: number
  line: Line
  /** Its text with # in place of each number. */
  shape: string
  numbers: number[]
  top: boolean
  /** Whether it is the first or last line of its page, with space beside it, and a number at one of its ends. */
  numbersPage: boolean
  /** Text of its page between the candidates. */
  body: string
}

export interface PageWords {
  index: number
  height: number
  words: Word[]
  /** Whether the page has pictures beside its words. */
  hasPictures?: boolean
}

/**
 * Removes running heads, running feet and page numbers from the words of pages. If that left half of the pages without
 * text, their lines are what these pages say, and all but the numbers of pages of pictures stay.
 * @param isContent selects lines that stay wherever they are
 */
export function withoutFurniture(
  pages: readonly PageWords[],
  isContent: (text: string) => boolean = () => false,
): Map<number, Word[]> {
  const candidates = pages.flatMap(candidatesOf).filter(({ line }) => !isContent(textOf(line)))
  const furniture = candidates.filter(candidate => isFurniture(candidate, candidates, pages.length))
  const found = wordsByPage(furniture)
  const written = pages.filter(({ words }) => words.length > 0)
  const emptied = written.filter(({ index, words }) => words.length === found.get(index)?.size)
  if (emptied.length * 2 >= written.length) {
    const numbers = wordsByPage(furniture.filter(({ shape }) => isPageNumber(shape)))
    for (const { index, hasPictures } of emptied)
      found.set(index, (hasPictures && numbers.get(index)) || new Set())
  }
  return new Map(pages.map(({ index, words }) => [index, words.filter(word => !found.get(index)?.has(word))]))
}

function wordsByPage(candidates: readonly Candidate[]): Map<number, Set<Word>> {
  const found = new Map<number, Set<Word>>()
  for (const { page, line } of candidates)
    found.set(page, (found.get(page) ?? new Set()).union(new Set(line.words)))
  return found
}

function candidatesOf({ index, height, words }: PageWords): Candidate[] {
  const [head, foot] = [height * MARGIN, height * (1 - MARGIN)]
  const near = words.filter(({ baseline }) => baseline < head + MARK_REACH || baseline > foot - MARK_REACH)
  const lines = linesOf(near)
  const top = lines.filter(line => line.baseline < head).slice(0, LINES)
  const bottom = lines.filter(line => line.baseline > foot).slice(-LINES)
  const ends = new Set([...top, ...bottom].flatMap(line => line.words))
  const size = sizeOf(words)
  /** A number, alone or as small as what is far from it on the line. */
  const numbersPage = (line: Line) => {
    const next = line === lines[0] ? lines[1] : line === lines.at(-1) ? lines.at(-2) : line
    const isApart = !next || Math.abs(next.baseline - line.baseline) > next.size * APART
    const parts = segmentsOf(line)
    const isNumbered = [parts[0]!, parts.at(-1)!].some(part =>
      isPageNumber(shapeOf(part.words.map(({ text }) => text).join(' '))),
    )
    return isApart && isNumbered && line.size < size * (parts.length === 1 ? 1.01 : SMALLER)
  }
  const body = words.flatMap(word => (ends.has(word) ? [] : word.text)).join(' ')
  return [...top, ...bottom].map(line => {
    const text = textOf(line)
    return {
      page: index,
      line,
      shape: shapeOf(text),
      numbers: [...text.matchAll(/\d{1,5}/g)].map(([digits]) => Number(digits)),
      top: line.baseline < height * MARGIN,
      numbersPage: numbersPage(line),
      body,
    }
  })
}

const shapeOf = (text: string) => text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim().toLowerCase()

const PAGE_NUMBER =
  /^[\s\-–—|[\]()]*(page|seite|p\.|pág\.?|página|страница|стр\.)?\s*#(\s*(of|\/|von|de|из)\s*#)?[\s\-–—|[\]()]*$/i
const ROMAN_NUMBER = /^[ivxlc]{1,7}$/i
const isPageNumber = (shape: string) => PAGE_NUMBER.test(shape) || ROMAN_NUMBER.test(shape)

function isFurniture(candidate: Candidate, all: Candidate[], pageCount: number): boolean {
  const { page, line, shape, numbers, top, body, numbersPage } = candidate
  if (pageCount === 1) return numbersPage || /^(page|seite)\s*#\s*(of|von|\/)\s*#$/i.test(shape)
  // What recurs on a copy of the page is not furniture: all of the page recurs there.
  const isCopy = (other: Candidate) => body !== '' && other.body === body
  const samePlace = all.filter(
    other =>
      other.page !== page &&
      other.top === top &&
      Math.abs(other.line.baseline - line.baseline) < SAME_PLACE &&
      !isCopy(other),
  )
  const alike = new Set(samePlace.filter(other => other.shape === shape).map(other => other.page))
  if (isPageNumber(shape)) return alike.size > 0 || pageCount <= 2 || numbers[0] === page + 1
  // A line of several words that recurs at the same place is no coincidence; a shorter one has to recur more often.
  const needed =
    line.words.length >= 4
      ? Math.min(2, pageCount - 1)
      : Math.max(1, Math.min(3, Math.floor(pageCount * 0.3)))
  if (alike.size >= needed) {
    const same = samePlace.filter(other => other.shape === shape)
    if (numbers.length === 0 || same.every(other => countsPages(other, candidate))) return true
  }
  // Running heads that change with the chapter are next to the page number.
  const numbered = numbers.some(number => {
    const away = number - page
    return (
      samePlace.filter(other => other.numbers.some(one => one - other.page === away)).length >=
      Math.max(1, needed)
    )
  })
  return numbered && line.words.length < 16
}

/** Whether the numbers of two lines are equal, or count the pages; those of rows of a table that continues only grow. */
const countsPages = (one: Candidate, other: Candidate) =>
  one.numbers.every((number, index) => {
    const away = number - (other.numbers[index] ?? Number.NaN)
    return away === 0 || away === one.page - other.page
  })
