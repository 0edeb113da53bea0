import { openPdf } from '../../../engines/pdf/content/document.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import { chosenPages } from '../../documents/pdf/chosen-pages.ts'
import type { PagePicture, TextDocument } from '../../documents/pdf/layout/model.ts'

/** Longer edge of a cover. */
const COVER_PIXELS = 1600
const FILLS = 0.85

interface Source {
  path: string
  password: string | undefined
  pages: string
}

/** Removes the picture that fills the first page from the text as the cover; if there is none, draws that page. */
export async function takeCover(document: TextDocument, source: Source): Promise<PagePicture | undefined> {
  const [first, second] = document.blocks
  const isWholePage =
    first?.kind === 'picture' &&
    second?.page !== first.page &&
    first.width > document.pageWidth * FILLS &&
    first.height > document.pageHeight * FILLS
  if (!isWholePage) return drawFirstPage(source)
  const picture = document.pictures[first.picture]
  // The picture stays if it is the only content.
  if (picture && document.blocks.length > 1) document.blocks.shift()
  return picture
}

async function drawFirstPage({ path, password, pages }: Source): Promise<PagePicture | undefined> {
  using pdf = await openPdf(path, password)
  using page = await pdf.page(chosenPages(pdf.pageCount, pages)[0]!)
  if (!page) return undefined
  const { width, height } = page.content
  const density = (72 * COVER_PIXELS) / Math.max(width, height)
  const drawn = page.picture({ x: 0, y: 0, width, height }, density)
  if (!drawn || !('pixels' in drawn)) return undefined
  const { pixels } = drawn
  const raw = { width: pixels.width, height: pixels.height, channels: pixels.channels }
  return { data: await sharp(pixels.data, { raw }).jpeg({ quality: 85 }).toBuffer(), type: 'jpg' }
}
