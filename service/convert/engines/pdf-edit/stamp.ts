import { type PDFDocument, type PDFPage, StandardFonts } from '@cantoo/pdf-lib'
import { shownMatrix } from '../pdfa/page-picture.ts'

/** Size of the numbers, and their distance from the edges of the page, in points. */
const SIZE = 10
const MARGIN = 28

/** Writes the number of each page at its foot, as it is displayed. */
export async function numberPages(
  document: PDFDocument,
  pages: readonly PDFPage[],
  side: 'left' | 'centre' | 'right',
): Promise<void> {
  const font = await document.embedFont(StandardFonts.Helvetica)
  const { context } = document
  for (const [index, page] of pages.entries()) {
    const text = String(index + 1)
    const [a, b, c, d, x, y] = shownMatrix(page)
    const [width, height] = [Math.hypot(a, b), Math.hypot(c, d)]
    const spare = width - font.widthOfTextAtSize(text, SIZE)
    const left = side === 'left' ? MARGIN : side === 'right' ? spare - MARGIN : spare / 2
    // The page's coordinates, upright and in points.
    const upright = [a / width, b / width, c / height, d / height, x, y]
      .map(value => value.toFixed(4))
      .join(' ')
    const key = page.node.newFontDictionary('RefileNumber', font.ref)
    const shown = font.encodeText(text).toString()
    const marked = `/Artifact <</Type/Pagination>> BDC q ${upright} cm 0 g BT ${key} ${SIZE} Tf ${left.toFixed(2)} ${MARGIN} Td ${shown} Tj ET Q EMC`
    page.node.addContentStream(context.register(context.stream(marked)))
  }
}
