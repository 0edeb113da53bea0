/** Lengths of CSS and SVG. */
import { splitAt, words } from './values.ts'

/** CSS pixels in a unit of length (CSS Values 4, 6.2). */
const UNITS: Record<string, number> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
}

export interface Measures {
  /** What 100 % is. */
  whole: number
  /** Font size in pixels. */
  fontSize: number
  /** Font size of the outermost element, in pixels. */
  rootFontSize?: number
}

const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%]*)$/i

/** A length in pixels; NaN if it is invalid. */
export function pixels(text: string, { whole, fontSize, rootFontSize = 16 }: Measures): number {
  const [, digits, rawUnit] = NUMBER.exec(text.trim()) ?? []
  if (digits !== undefined) {
    const unit = rawUnit!.toLowerCase()
    const value = Number(digits)
    if (Object.hasOwn(UNITS, unit)) return value * UNITS[unit]!
    if (unit === '%') return (value / 100) * whole
    if (unit === 'em') return value * fontSize
    if (unit === 'rem') return value * rootFontSize
    // In nearly all fonts this is about half the font size.
    if (unit === 'ex' || unit === 'ch') return (value * fontSize) / 2
    return Number.NaN
  }
  const sum = /^calc\(([\s\S]*)\)$/i.exec(text.trim())?.[1]
  return sum === undefined ? Number.NaN : calculate(sum, { whole, fontSize, rootFontSize })
}

const TURNS: Record<string, number> = { '': 1, deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 }

/** An angle in degrees; NaN if it is invalid. */
export function degrees(text: string): number {
  const [, digits, unit = ''] = NUMBER.exec(text.trim()) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (TURNS[unit.toLowerCase()] ?? Number.NaN)
}

/** A length of a style in pixels, which needs a unit; undefined if it is invalid. */
export function styleLength(text: string | undefined, measures: Measures): number | undefined {
  if (text === undefined || (/^[+-]?[\d.]+$/.test(text) && Number(text) !== 0)) return undefined
  const length = pixels(text, measures)
  return Number.isFinite(length) ? length : undefined
}

/** Evaluates `calc()`, from left to right with products before sums. */
function calculate(text: string, measures: Measures): number {
  let total = 0
  let product = Number.NaN
  let sign = 1
  let operator = ''
  for (const word of words(text.replace(/([*/])/g, ' $1 '))) {
    if (/^[-+*/]$/.test(word)) {
      if (word === '+' || word === '-') {
        total += sign * product
        sign = word === '+' ? 1 : -1
        product = Number.NaN
      }
      operator = word
      continue
    }
    const value = word.startsWith('(') ? calculate(word.slice(1, -1), measures) : pixels(word, measures)
    if (Number.isNaN(product)) product = value
    else product = operator === '/' ? product / value : product * value
  }
  return total + sign * product
}

/** Numbers separated by spaces or commas, such as a view box. */
export const numbers = (text: string | undefined): number[] =>
  (text?.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number)

/** Words separated by spaces or commas. */
export const listOf = (text: string): string[] => splitAt(text, ',').flatMap(words)
