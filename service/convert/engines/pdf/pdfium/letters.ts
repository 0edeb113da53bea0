/** Letters of a page, and the lines that they form. */
import { overlap, type Rectangle, unionOf } from '../../common/rectangle.ts'
import { type Handle, pdfium } from './library.ts'

/** Text on one line: the lower left corner of its box, and its size, in points. */
export interface TextRun extends Rectangle {
  text: string
  /** Quarters by which its letters are turned counterclockwise, roughly. */
  turns: 0 | 1 | 2 | 3
}

/** A letter, whose box is empty for a space or the end of a line that the file itself does not have. */
export type Letter = TextRun

/** Maximum number of letters on a page. */
const LETTER_LIMIT = 1_000_000

/** @param text of a page, as PDFium has opened it */
export function lettersOf(text: Handle): Letter[] {
  const library = pdfium()
  const box = new Float32Array(4)
  const count = Math.min(LETTER_LIMIT, Math.max(0, library.charCount(text)))
  return Array.from({ length: count }, (_, at) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = library.charBox(text, at, box) ? box : []
    const code = library.unicode(text, at)
    const quarters = Math.round(Math.max(0, library.charAngle(text, at)) / (Math.PI / 2))
    return {
      // PDFium has codes of its own for hyphens at ends of lines.
      text: String.fromCodePoint(code === 2 || code === 0xfffe ? 0xad : Math.min(code, 0x10ffff)),
      ...{ x: left, y: bottom, width: right - left, height: top - bottom },
      turns: ((4 - (quarters % 4)) % 4) as TextRun['turns'],
    }
  })
}

const hasArea = ({ width, height }: Rectangle) => width > 0 && height > 0

/** Letters that stand beside each other, as runs; what is undefined parts them. */
export function runsOf(letters: Iterable<Letter | undefined>): TextRun[] {
  const runs: TextRun[] = []
  let run: Letter[] = []
  const close = () => {
    const box = unionOf(run.filter(hasArea))
    const text = run
      .map(letter => letter.text)
      .join('')
      .trim()
    if (box && text) runs.push({ text, ...box, turns: run.find(hasArea)!.turns })
    run = []
  }
  let before: Letter | undefined
  for (const letter of letters) {
    const isApart = letter && before && hasArea(letter) && !isBeside(before, letter)
    if (!letter || isApart || /[\r\n]/.test(letter.text)) close()
    if (letter && hasArea(letter)) before = letter
    if (letter && !/\p{Cc}/u.test(letter.text)) run.push(letter)
  }
  close()
  return runs
}

/** Whether two letters belong to one line, with at most a space between them. */
function isBeside(one: Letter, other: Letter): boolean {
  const { x, y, width, height, turns } = one
  if (turns !== other.turns) return false
  return overlap(
    turns % 2 === 0
      ? { x: x - height, y: y + height / 4, width: width + 2 * height, height: height / 2 }
      : { x: x + width / 4, y: y - width, width: width / 2, height: height + 2 * width },
    other,
  )
}
