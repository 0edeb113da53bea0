import { identity } from '../../common/matrix.ts'
import { type Handle, pdfium } from '../pdfium/library.ts'
import { drawnWords, replacedByStructure, withActualText } from './actual-text.ts'
import { flattenFields, readFields, type WrittenText, withWritten } from './fields.ts'
import { mapped, type View, viewOf } from './geometry.ts'
import { readGraphics } from './graphics.ts'
import { type ImageContent, readImage } from './image.ts'
import { readLinks } from './links.ts'
import { hideText, renderPart } from './render.ts'
import { readStructure } from './structure.ts'
import { readText } from './text.ts'
import type { PageContent, PdfImage, PdfLink, Rectangle } from './types.ts'

/** An open page; its content remains valid after disposal, but its pictures can only be read before. */
export interface PdfPage extends Disposable {
  content: PageContent
  /** A picture of this page; null if it is damaged. `asStored`: however the page turns it. */
  image(image: PdfImage, options?: { asStored: boolean }): ImageContent | null
  /** Leaves the letters of upright text out of pictures from now on. */
  hideText(): void
  /** A part of the page, rendered at `density` pixels per inch. */
  picture(part: Rectangle, density: number): ImageContent | null
}

/** Height in points from which a picture is not considered to show letters. */
const LETTER_PICTURE = 48

/** Reads a page; null if PDFium cannot load it. */
export function openPage(document: Handle, index: number): PdfPage | null {
  const library = pdfium()
  const { page, links, written, comments } = loadPage(document, index)
  if (!page) return null
  const { view, turn, text, turned, slanted, unmapped, wrong, vertical } = readText(page, viewOf(page))
  const { drawn, images, paths, ...graphics } = readGraphics(page, view)
  const structure = readStructure(page)
  const texts = replacedByStructure(structure)
  const small = images.filter(image => !image.artefact && image.height < LETTER_PICTURE)
  const { words, taken } = drawnWords([...drawn, ...small], texts)
  const isTaken = (box: Rectangle) => [...taken].some(part => part.x === box.x && part.y === box.y)
  const content: PageContent = {
    index,
    width: view.width,
    height: view.height,
    text: withWritten([...withActualText(text, texts), ...words], written, view),
    turned: turned.map(part => ({ ...part, text: withActualText(part.text, texts) })),
    slanted: slanted.map(part => withActualText(part, texts)),
    ...graphics,
    images: images.filter(image => !taken.has(image)),
    paths: taken.size > 0 ? paths.filter(box => !isTaken(box)) : paths,
    links: links ?? readLinks(document, page, view),
    comments: comments.map(({ left, top, right, bottom, text }) => ({
      ...mapped(view.matrix, left, bottom, right, top),
      text,
    })),
    structure,
    unmapped,
    wrong,
    vertical,
    hasFields: links !== undefined,
  }
  return {
    content,
    image: (image, options) => readImage(document, page, image, options),
    hideText: () => hideText(page, turn),
    picture: (part, density) =>
      vertical
        ? renderPart(page, identity, turnedBack(part, view), density)
        : renderPart(page, turn, part, density),
    [Symbol.dispose]: () => library.closePage(page),
  }
}

/** Maps a part of a page that was rotated for its columns back to the page as displayed. */
const turnedBack = ({ x, y, width, height }: Rectangle, { height: shownWidth }: View): Rectangle => ({
  x: shownWidth - y - height,
  y: x,
  width: height,
  height: width,
})

/** Loads a page including its form values. If it has any, its links are returned too, since flattening removes them. */
function loadPage(
  document: Handle,
  index: number,
): { page: Handle; links?: PdfLink[]; written: WrittenText[]; comments: WrittenText[] } {
  const library = pdfium()
  const page = library.loadPage(document, index)
  const { written, comments } = page ? readFields(page) : { comments: [] }
  if (!written) return { page, written: [], comments }
  const links = readLinks(document, page, readText(page, viewOf(page)).view)
  flattenFields(page)
  library.closePage(page)
  return { page: library.loadPage(document, index), links, written, comments }
}
