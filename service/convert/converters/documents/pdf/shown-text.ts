/** The text of a page where it is shown, whichever way the page is turned, for laying it over a picture of the page. */
import type { PDFPage } from '@cantoo/pdf-lib'
import { inverse, type Matrix, multiply } from '../../../engines/common/matrix.ts'
import type { Rectangle } from '../../../engines/common/rectangle.ts'
import { mapped } from '../../../engines/pdf/content/geometry.ts'
import { shownMatrix, type TextLayer } from '../../../engines/pdf/pdfa/index.ts'
import type { PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { runsOf, type TextRun } from '../../../engines/pdf/pdfium/letters.ts'

/** Turns by 0 to 3 quarters counterclockwise. */
const QUARTERS: Record<TextRun['turns'], Matrix> = {
  0: [1, 0, 0, 1, 0, 0],
  1: [0, 1, -1, 0, 0, 0],
  2: [-1, 0, 0, -1, 0, 0],
  3: [0, -1, 1, 0, 0, 0],
}

export const boxIn = (matrix: Matrix, { x, y, width, height }: Rectangle) =>
  mapped(matrix, x, y, x + width, y + height)

interface ShownRun {
  run: TextRun
  /** In points of the page as displayed, from its lower left corner. */
  box: Rectangle
}

/** The text within the visible part of a page. */
export function shownRuns(pdf: PdfDocument, index: number): ShownRun[] {
  const size = pdf.pageSize(index)
  if (!size) return []
  const matrix = pdf.shownMatrix(index)
  return runsOf(pdf.letters(index))
    .map(run => ({ run, box: boxIn(matrix, run) }))
    .filter(({ box }) => {
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      return x >= 0 && x <= size.width && y >= 0 && y <= size.height
    })
}

/** Lays the text of a page over the page of another document that shows it, which may be turned, cropped and scaled otherwise. */
export function layText(
  layer: TextLayer,
  page: PDFPage,
  pdf: PdfDocument,
  index: number,
  runs: readonly TextRun[] = shownRuns(pdf, index).map(({ run }) => run),
): void {
  const size = pdf.pageSize(index)
  if (!size) return
  const share: Matrix = [1 / size.width, 0, 0, 1 / size.height, 0, 0]
  const ontoPage = multiply(multiply(pdf.shownMatrix(index), share), shownMatrix(page))
  for (const turns of [0, 1, 2, 3] as const) {
    const turned = runs.filter(run => run.turns === turns)
    const along = inverse(QUARTERS[turns])
    const boxes = turned.map(run => ({ text: run.text, ...boxIn(along, run) }))
    layer.add(page, [boxes], multiply(QUARTERS[turns], ontoPage))
  }
}
