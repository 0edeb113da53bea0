/** Lines of a statement with the amounts on them. */
import { type Line, spansOf, type Word } from '../pdf/layout/lines.ts'
import { plainText } from '../pdf/layout/model.ts'
import { type Decimal, type Money, moneyOf } from './money.ts'
import { roleOf } from './words.ts'

export interface AmountCell extends Money {
  x: number
  right: number
  /** The words it consists of, as positions in the line. */
  from: number
  to: number
}

export interface StatementLine {
  page: number
  line: Line
  text: string
  amounts: AmountCell[]
}

/** Words of one amount are closer than this share of the size; digits of one number are closer still. */
const WORD_GAP = 0.75
const DIGIT_GAP = 0.45
const MAX_WORDS = 5

export function statementLine(line: Line, page: number, decimal: Decimal): StatementLine {
  return { page, line, text: plainText(spansOf(line)), amounts: amountsOf(line, decimal) }
}

function amountsOf(line: Line, decimal: Decimal): AmountCell[] {
  const { words, size } = line
  const found: AmountCell[] = []
  for (let from = 0; from < words.length; ) {
    let best: AmountCell | undefined
    for (let to = from + 1; to <= Math.min(words.length, from + MAX_WORDS); to++) {
      if (to > from + 1 && !areNear(words[to - 2]!, words[to - 1]!, size)) break
      const money = moneyOf(textBetween(line, from, to), decimal)
      const last = words[to - 1]!
      if (money) best = { ...money, x: words[from]!.x, right: last.x + last.width, from, to }
    }
    if (best) found.push(best)
    from = best?.to ?? from + 1
  }
  return found
}

function areNear(one: Word, other: Word, size: number): boolean {
  const gap = other.x - (one.x + one.width)
  const digits = /\d$/.test(one.text) && /^\d/.test(other.text)
  return gap < size * (digits ? DIGIT_GAP : WORD_GAP)
}

/** Text of the words of a line between two positions. */
export const textBetween = (line: Line, from: number, to: number): string =>
  line.words
    .slice(from, to)
    .map((word, index) => (index > 0 && !word.joined ? ` ${word.text}` : word.text))
    .join('')
    .trim()

/** Right edges of a column differ by no more than this, in points. */
const EDGE = 2.5
/** Minimum number of amounts in a column. */
const COLUMN_AMOUNTS = 3

/**
 * For lines whose amounts have no decimals, keeps the amounts that are in columns, since a number in a description resembles
 * an amount. The amounts of a column end at the same position, where at least three have thousands separators or a
 * heading ends.
 */
export function inColumns(lines: readonly StatementLine[]): StatementLine[] {
  const separated = lines.flatMap(({ line, amounts }) =>
    amounts.filter(({ from, to }) => /\d[.,]\d{3}/.test(textBetween(line, from, to))),
  )
  const edges = separated
    .map(({ right }) => right)
    .filter(edge => separated.filter(({ right }) => Math.abs(right - edge) < EDGE).length >= COLUMN_AMOUNTS)
  // Headings end where their columns do; some columns have one amount only.
  for (const { line } of lines) {
    const named = line.words.filter(({ text }) => roleOf(text) !== null)
    if (named.length > 1) edges.push(...named.map(({ x, width }) => x + width))
  }
  return lines.map(line => ({
    ...line,
    amounts: line.amounts.filter(({ right }) => edges.some(edge => Math.abs(right - edge) < EDGE)),
  }))
}
