/** Text written over pages, as they are displayed: their numbers, and stamps. */
import { PDFDict, type PDFDocument, type PDFFont, type PDFPage } from '@cantoo/pdf-lib'
import type { Matrix } from '../../common/matrix.ts'
import type { Size } from '../../common/rectangle.ts'
import { shownMatrix } from '../pdfa/page-picture.ts'
import { FieldFonts } from '../prepare/field-fonts.ts'

/** Distance of text from the edges of the page, in points. */
const MARGIN = 28

/** How much of the line from corner to corner, or of the width, a stamp may take. */
const SHARE = 0.9
/** Height of capitals as a share of the size. */
const CAPITALS = 0.72

export type StampPlace = 'diagonal' | 'centre' | `${'top' | 'bottom'}-${'left' | 'centre' | 'right'}`

export interface Stamp {
  /** `{page}` in it is the number of the page, `{pages}` how many there are. */
  text: string
  place: StampPlace
  /** Points; less if it would not fit the page. */
  size: number
  /** 0 to 1. */
  opacity?: number
}

/** Draws over a page, whose own content may leave its coordinates changed, or under it. */
export function drawOver({ node, doc: { context } }: PDFPage, content: string, isUnder = false): void {
  const drawn = context.register(context.flateStream(isUnder ? `${content}\nq` : content))
  const [mark, back] = ['q', 'Q'].map(sign => context.register(context.stream(sign)))
  const isWrapped = node.wrapContentStreams(isUnder ? drawn : mark!, back!)
  if (!isUnder || !isWrapped) node.addContentStream(drawn)
  if (isUnder && !isWrapped) node.addContentStream(back!)
}

/** Marks what is drawn as no part of the text. */
export const asArtifact = (content: string) => `/Artifact <</Type/Pagination>> BDC ${content} EMC`

/** Maps points of a page as displayed, from its lower left corner on, to its own coordinates. */
export function uprightOf(page: PDFPage): Size & { upright: Matrix } {
  const [a, b, c, d, x, y] = shownMatrix(page)
  const [width, height] = [Math.hypot(a, b), Math.hypot(c, d)]
  return { width, height, upright: [a / width, b / width, c / height, d / height, x, y] }
}

/** Where something stands within a page as displayed: apart from its edges, as far as there is room. */
export function placeWithin(place: string, page: Size, { width, height }: Size): { x: number; y: number } {
  const [level, side] = place.split('-')
  const at = (spare: number, isFirst: boolean, isLast: boolean) => {
    const edge = Math.min(MARGIN, spare / 2)
    return isFirst ? edge : isLast ? spare - edge : spare / 2
  }
  return {
    x: at(page.width - width, side === 'left', side === 'right'),
    y: at(page.height - height, level === 'bottom', level === 'top'),
  }
}

/** Writes a text over each page. Returns whether the fonts have all of its letters. */
export async function stampPages(
  document: PDFDocument,
  pages: Iterable<PDFPage>,
  { text: given, place, size, opacity = 1 }: Stamp,
): Promise<boolean> {
  const { context } = document
  const fonts = new FieldFonts(document, PDFDict.withContext(context))
  const all = document.getPages()
  const numberOf = new Map(all.map(({ node }, index) => [node, index + 1]))
  let isWhole = true
  for (const page of pages) {
    const values: Record<string, number | undefined> = { page: numberOf.get(page.node), pages: all.length }
    const wanted = given.replace(/\{(pages?)\}/g, (_, key: string) => String(values[key]))
    const { font, text } = await fonts.fitting(wanted, '')
    isWhole &&= text === wanted
    if (text === '') continue
    const shown = font.encodeText(text).toString()
    const { upright, width, height } = uprightOf(page)
    const positioned = placeOf(font, text, { place, size, width, height })
    const key = page.node.newFontDictionary('RefileStamp', font.ref)
    const state = page.node.newExtGState('RefileStamp', context.obj({ Type: 'ExtGState', ca: opacity }))
    const shape = `BT ${key} ${positioned.size.toFixed(2)} Tf ${shown} Tj ET`
    const written = `q ${numbers(upright)} cm ${state} gs 0 g ${numbers(positioned.matrix)} cm ${shape} Q`
    drawOver(page, asArtifact(written))
  }
  return isWhole
}

export const numbers = (values: readonly number[]) => values.map(value => value.toFixed(4)).join(' ')

/** The size of a text that fits a page, and the matrix that leads to its start. */
function placeOf(
  font: PDFFont,
  text: string,
  { place, size: wanted, width, height }: { place: StampPlace; size: number; width: number; height: number },
): { size: number; matrix: number[] } {
  const isDiagonal = place === 'diagonal'
  const angle = isDiagonal ? Math.atan2(height, width) : 0
  const room = isDiagonal ? SHARE * Math.hypot(width, height) : Math.max(SHARE * width, width - 2 * MARGIN)
  const size = Math.min(wanted, (wanted * room) / font.widthOfTextAtSize(text, wanted))
  const [length, capitals] = [font.widthOfTextAtSize(text, size), CAPITALS * size]
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  if (isDiagonal) {
    const x = width / 2 - (cos * length - sin * capitals) / 2
    const y = height / 2 - (sin * length + cos * capitals) / 2
    return { size, matrix: [cos, sin, -sin, cos, x, y] }
  }
  const { x, y } = placeWithin(place, { width, height }, { width: length, height: capitals })
  return { size, matrix: [1, 0, 0, 1, x, y] }
}
