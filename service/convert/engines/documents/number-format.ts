import { ownValue } from '../common/own-value.ts'

/** Largest numbers that are written in letters and in Roman numerals. */
const LETTER_LIMIT = 780
const ROMAN_LIMIT = 3999

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ROMAN = {
  ...{ m: 1000, cm: 900, d: 500, cd: 400, c: 100, xc: 90 },
  ...{ l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1 },
}

/** By the names of ECMA-376 part 1, 17.18.59. */
const FORMATS: Record<string, (number: number) => string> = {
  none: () => '',
  decimalZero: number => String(number).padStart(2, '0'),
  lowerLetter: lettersOf,
  upperLetter: number => lettersOf(number).toUpperCase(),
  lowerRoman: romanOf,
  upperRoman: number => romanOf(number).toUpperCase(),
}

/** A number in a format; in digits where the format is none of the usual ones. */
export const formatNumber = (number: number, format: string): string =>
  (ownValue(FORMATS, format) ?? String)(number)

/** After `z` come `aa`, `bb` and so on. */
function lettersOf(number: number): string {
  if (number < 1 || number > LETTER_LIMIT) return String(number)
  return (LETTERS[(number - 1) % LETTERS.length] ?? '').repeat(Math.ceil(number / LETTERS.length))
}

function romanOf(number: number): string {
  if (number < 1 || number > ROMAN_LIMIT) return String(number)
  let text = ''
  let rest = number
  for (const [sign, worth] of Object.entries(ROMAN)) {
    text += sign.repeat(Math.floor(rest / worth))
    rest %= worth
  }
  return text
}
