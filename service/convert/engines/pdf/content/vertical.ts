/** Vertical text in columns from right to left, as in Chinese and Japanese. */

import { inverse, type Matrix } from '../../common/matrix.ts'
import { median } from '../../common/median.ts'
import { inRuns } from '../../common/runs.ts'
import { mapped, type View } from './geometry.ts'
import type { Character, Look } from './placed-characters.ts'

const IDEOGRAPHIC = /[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/u

/** Shares of the font size: maximum sideways offset between letters of a column, and minimum and maximum step between them. */
const ASIDE = 0.3
const MIN_STEP = 0.5
const MAX_STEP = 1.7
const TIGHT_STEP = 1.3
/** Minimum number of letters of a column: on pages with vertical text, and on others. */
const SHORT_COLUMN = 4
const LONG_COLUMN = 8
/** Maximum number of letters side by side within a column, such as the digits of a year. */
const SIDE_BY_SIDE = 4
/** Distance of rotated Latin letters below the middle of their column, as a share of the font size. */
const BELOW_MIDDLE = 0.38

interface Placed {
  character: Character
  /** Its centre and size on the displayed page. */
  x: number
  y: number
  size: number
}

interface Column {
  x: number
  size: number
  top: number
  bottom: number
  letters: Placed[]
}

/**
 * Places the characters of columns as if the page were rotated by a quarter turn, so that columns become lines from top to
 * bottom.
 * @returns `vertical`: whether most of the page is vertical text
 */
export function withColumns(
  characters: Character[],
  shown: View,
): { characters: Character[]; vertical: boolean } {
  const upright = characters.filter(({ look }) => look.quarters === 0 && !look.slanted)
  const letters = upright.filter(({ text }) => IDEOGRAPHIC.test(text)).length
  if (letters < SHORT_COLUMN) return { characters, vertical: false }
  const positioned = upright.map(character => placeOf(character, shown.matrix))
  const chains = chainsOf(positioned)
  const isColumn = (chain: Placed[]) =>
    chain.filter(({ character }) => IDEOGRAPHIC.test(character.text)).length >= chain.length / 2
  const counted = chains.filter(chain => chain.length >= SHORT_COLUMN && isColumn(chain))
  const vertical = counted.reduce((sum, chain) => sum + chain.length, 0) > upright.length / 2
  const columns = (
    vertical ? chains.filter(chain => chain.length > 1 && isColumn(chain)) : counted.filter(isLong)
  ).map(columnOf)
  if (columns.length === 0) return { characters, vertical: false }
  const taken = new Set(columns.flatMap(column => column.letters))
  const rest = positioned.filter(letter => !taken.has(letter)).sort((one, other) => one.y - other.y)
  for (const group of sideBySide(rest)) {
    const middle = (group[0]!.x + group.at(-1)!.x) / 2
    const column = columns.find(
      ({ x, size, top, bottom }) =>
        Math.abs(middle - x) < size * 0.75 &&
        group[0]!.y > top - size * MAX_STEP &&
        group[0]!.y < bottom + size * MAX_STEP,
    )
    const isAlone = vertical && group.every(({ character }) => IDEOGRAPHIC.test(character.text))
    if (!column && !(isAlone && group.length === 1)) continue
    for (const [index, letter] of group.entries()) {
      // Letters side by side are stacked within the height of one letter.
      const y = letter.y + ((index - (group.length - 1) / 2) * letter.size) / group.length
      const within = { ...letter, x: column?.x ?? letter.x, y, height: letter.size / group.length }
      if (column) {
        column.letters.push(within)
        column.bottom = Math.max(column.bottom, y)
      } else columns.push(columnOf([within]))
    }
  }
  const turned = new Map<Character, Character>()
  const back = inverse(shown.matrix)
  for (const column of columns)
    for (const letter of column.letters) turned.set(letter.character, turnedOf(letter, column, back))
  return { characters: characters.map(character => turned.get(character) ?? character), vertical }
}

function placeOf(character: Character, matrix: Matrix): Placed {
  const { left, bottom, right, top, look } = character
  const box = mapped(matrix, left, bottom, right, top)
  return { character, x: box.x + box.width / 2, y: box.y + box.height / 2, size: look.size }
}

/** Sequences of letters, each below the previous one. */
function chainsOf(positioned: readonly Placed[]): Placed[][] {
  const chains: Placed[][] = []
  let before: Placed | undefined
  for (const [index, letter] of positioned.entries()) {
    const next = positioned[index + 1]
    // Letters side by side are horizontal text.
    const across = (before && isBeside(before, letter)) || (next && isBeside(letter, next))
    const last = across ? undefined : chains.at(-1)?.at(-1)
    if (last && last === before && isStep(last, letter, MAX_STEP)) chains.at(-1)!.push(letter)
    else if (!across) chains.push([letter])
    before = letter
  }
  return chains
}

function isStep(from: Placed, to: Placed, most: number): boolean {
  const size = Math.max(from.size, to.size)
  const step = (to.y - from.y) / size
  return Math.abs(to.x - from.x) < size * ASIDE && step > MIN_STEP && step < most
}

function isBeside(left: Placed, { x, y, size }: Placed): boolean {
  const gap = (x - left.x) / size
  return Math.abs(y - left.y) < size * 0.2 && gap > 0 && gap < MAX_STEP
}

const isLong = (chain: Placed[]) =>
  chain.length >= LONG_COLUMN &&
  chain.every((letter, index) => index === 0 || isStep(chain[index - 1]!, letter, TIGHT_STEP))

const columnOf = (letters: Placed[]): Column => ({
  x: median(letters.map(({ x }) => x))!,
  size: letters[0]!.size,
  top: letters[0]!.y,
  bottom: letters.at(-1)!.y,
  letters,
})

/** Groups of letters side by side. */
const sideBySide = (positioned: readonly Placed[]): Placed[][] =>
  inRuns(positioned, (group, letter) => isBeside(group.at(-1)!, letter)).filter(
    group => group.length <= SIDE_BY_SIDE,
  )

/** A letter of a column as a letter of a rotated line. */
function turnedOf(
  { character, y, size, height = size }: Placed & { height?: number },
  { x, size: columnSize }: Column,
  back: Matrix,
): Character {
  const box = mapped(back, x - size / 2, y - height / 2, x + size / 2, y + height / 2)
  const baseline = x - columnSize * BELOW_MIDDLE
  const look: Look = {
    ...character.look,
    quarters: 1,
    x: back[0] * baseline + back[2] * y + back[4],
    y: back[1] * baseline + back[3] * y + back[5],
  }
  const { x: left, y: bottom, width, height: high } = box
  return { ...character, look, left, right: left + width, bottom, top: bottom + high }
}
