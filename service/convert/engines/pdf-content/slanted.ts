/** Text at other angles than quarter turns, such as slanted table headings, stamps and labels of charts. */
import { identity } from '../formats/matrix.ts'
import { mapped, type View } from './geometry.ts'
import type { Character, Look } from './placed-characters.ts'
import type { Rectangle, SlantedText, TextItem } from './types.ts'
import { wordsOf } from './words.ts'

/** Maximum change of direction between letters, as on a curve, and between lines, in degrees. */
const MAX_BEND = 25
const MAX_LINE_BEND = 2
/** Shares of the font size: maximum distance between letters of a line, along it and across. */
const MAX_STEP = 4
const MAX_ASIDE = 0.5
/** The same for lines of a paragraph: minimum and maximum distance across, and maximum indent. */
const MIN_LINE_STEP = 0.5
const MAX_LINE_STEP = 1.6
const MAX_INDENT = 1
/** Minimum and maximum width of a letter. */
const MIN_WIDTH = 0.05
const MAX_WIDTH = 1.5

interface Point {
  x: number
  y: number
}

/** A letter on a straightened line. */
interface Letter {
  character: Character
  /** Its origin on the page, and the direction of its line in degrees. */
  origin: Point
  angle: number
  /** Distance from the beginning of the line. */
  along: number
  width: number
  box: Rectangle
}

/** The lines of a paragraph in content order, each with its place below the first or, if negative, above. */
type Paragraph = { letters: Letter[]; indent: number; below: number }[]

/**
 * Reads slanted characters along their own direction.
 * @param view the page, rotated clockwise by so many quarter turns less than displayed
 */
export function slantedTexts(characters: readonly Character[], view: View, quarters: number): SlantedText[] {
  const paragraphs: Paragraph[] = []
  for (const letters of linesOf(characters, view, quarters)) {
    const paragraph = paragraphs.at(-1)
    const place = paragraph && placeBelow(paragraph, letters)
    if (paragraph && place) paragraph.push({ letters, ...place })
    else paragraphs.push([{ letters, indent: 0, below: 0 }])
  }
  return paragraphs.map(paragraph => {
    const [first] = paragraph[0]!.letters
    return {
      angle: first!.angle,
      box: boundsOf(paragraph.flatMap(({ letters }) => letters.map(({ box }) => box))),
      text: paragraph.flatMap(({ letters, indent, below }) =>
        levelWords(letters, { x: first!.origin.x + indent, y: first!.origin.y + below }),
      ),
    }
  })
}

function linesOf(characters: readonly Character[], view: View, quarters: number): Letter[][] {
  const lines: Letter[][] = []
  for (const character of characters) {
    const { look, left, bottom, right, top, origin: own } = character
    if (!own) continue
    const { matrix } = view
    const origin = {
      x: matrix[0] * own.x + matrix[2] * own.y + matrix[4],
      y: matrix[1] * own.x + matrix[3] * own.y + matrix[5],
    }
    const angle = look.degrees - quarters * 90
    const box = mapped(matrix, left, bottom, right, top)
    // The centre of a letter's box stays in place when the box is rotated.
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const half = offset(origin, centre, angle).along
    const width = Math.min(Math.max(half * 2, look.size * MIN_WIDTH), look.size * MAX_WIDTH)
    const last = lines.at(-1)?.at(-1)
    const step = last && stepTo(last, origin, angle)
    const letter = { character, origin, angle, along: (last?.along ?? 0) + (step ?? 0), width, box }
    if (step === undefined) lines.push([{ ...letter, along: 0 }])
    else lines.at(-1)!.push(letter)
  }
  return lines
}

/** Distance from a letter to the next one of its line; undefined if that begins another line. */
function stepTo({ origin, angle, character: { look } }: Letter, next: Point, nextAngle: number) {
  if (bend(angle, nextAngle) > MAX_BEND) return undefined
  const { along, across } = offset(origin, next, angle)
  if (Math.abs(along) > look.size * MAX_STEP || Math.abs(across) > look.size * MAX_ASIDE) return undefined
  return Math.sign(along) * Math.hypot(along, across)
}

/** The place of a line that is next to the last one of a paragraph. */
function placeBelow(paragraph: Paragraph, [letter]: readonly Letter[]) {
  const [first] = paragraph[0]!.letters
  const { angle, origin } = letter!
  if (bend(first!.angle, angle) > MAX_LINE_BEND) return undefined
  const { along: indent, across: below } = offset(first!.origin, origin, first!.angle)
  // PDFium returns the lines of steep text from left to right.
  const step = Math.abs(below - paragraph.at(-1)!.below) / letter!.character.look.size
  const isBelow = step > MIN_LINE_STEP && step < MAX_LINE_STEP
  return isBelow && Math.abs(indent) < letter!.character.look.size * MAX_INDENT
    ? { indent, below }
    : undefined
}

const bend = (one: number, other: number) => Math.abs(((((other - one) % 360) + 540) % 360) - 180)

/** How far a point is from another in a direction, and to its right. */
function offset(from: Point, to: Point, degrees: number): { along: number; across: number } {
  const angle = (degrees * Math.PI) / 180
  const [x, y] = [to.x - from.x, to.y - from.y]
  return {
    along: x * Math.cos(angle) + y * Math.sin(angle),
    across: y * Math.cos(angle) - x * Math.sin(angle),
  }
}

/** The words of a line as if it were level and began at this place. */
function levelWords(letters: readonly Letter[], { x, y }: Point): TextItem[] {
  const looks = new Map<Look, Look>()
  const level = letters.map(({ character, along, width }): Character => {
    const look = looks.get(character.look) ?? { ...character.look, x, y }
    looks.set(character.look, look)
    const left = x + along
    return { ...character, look, left, right: left + width, top: y - look.size, bottom: y }
  })
  return wordsOf(level, { width: 0, height: 0, matrix: identity })
}

function boundsOf(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map(box => box.x))
  const y = Math.min(...boxes.map(box => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map(box => box.x + box.width)) - x,
    height: Math.max(...boxes.map(box => box.y + box.height)) - y,
  }
}
