import { runsOf, type Typeface } from '../../../engines/fontkit/typefaces.ts'

/** Position and width of a paragraph, in points. */
export interface Column {
  left: number
  width: number
  bottom: number
}

interface Placed {
  text: string
  font: Typeface
  width: number
}

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
/** Shapes each word as a whole, so that its letters run in their script's direction. */
const SHAPED = { features: ['liga'] as PDFKit.Mixins.OpenTypeFeatures[], lineBreak: false }
const mirrored: Record<string, string> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
}

/**
 * Sets a paragraph from right to left, word by word, which PDFKit cannot do itself: words run to the left, while
 * adjacent numbers and words of other scripts keep their own order.
 */
export function setRightToLeft(
  pdf: PDFKit.PDFDocument,
  text: string,
  fonts: Typeface[],
  column: Column,
): void {
  const words = text.split(' ').map(word => {
    const isRtl = RTL.test(word)
    const turned = isRtl ? word.replace(/[()[\]{}«»]/g, bracket => mirrored[bracket] ?? bracket) : word
    const runs = runsOf(turned, fonts, false).map(run => ({
      ...run,
      width: widthOf(pdf, run.text, run.font),
    }))
    return { isRtl, runs, width: runs.reduce((sum, run) => sum + run.width, 0) }
  })
  const space = widthOf(pdf, ' ', fonts[0]!)
  for (const line of linesOf(words, space, column.width)) {
    if (pdf.y + pdf.currentLineHeight(true) > column.bottom) pdf.addPage()
    const { y } = pdf
    let right = column.left + column.width
    for (const group of groupsOf(line)) {
      let x = right - group.reduce((sum, word) => sum + word.width + space, -space)
      right = x - space
      for (const { runs } of group) {
        for (const run of runs) {
          pdf.font(run.font.name).text(run.text, x, y, SHAPED)
          x += run.width
        }
        x += space
      }
    }
    pdf.y = y + pdf.currentLineHeight(true)
  }
}

interface SetWord {
  isRtl: boolean
  runs: Placed[]
  width: number
}

const widthOf = (pdf: PDFKit.PDFDocument, text: string, font: Typeface) =>
  pdf.font(font.name).widthOfString(text, SHAPED)

function linesOf(words: SetWord[], space: number, width: number): SetWord[][] {
  const lines: SetWord[][] = [[]]
  let taken = 0
  for (const word of words) {
    if (taken > 0 && taken + space + word.width > width) {
      lines.push([])
      taken = 0
    }
    lines.at(-1)?.push(word)
    taken += (taken > 0 ? space : 0) + word.width
  }
  return lines
}

/** Words that are set in their own order: a single right-to-left word, or a run of all others. */
function groupsOf(line: SetWord[]): SetWord[][] {
  const groups: SetWord[][] = []
  for (const word of line) {
    if (!word.isRtl && groups.at(-1)?.[0]?.isRtl === false) groups.at(-1)?.push(word)
    else groups.push([word])
  }
  return groups
}
