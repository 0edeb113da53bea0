/** Pictures in the text: loaded before a document is written, then written in place. */
import type { Declarations } from '../../../../books/book/css/cascade.ts'
import { elementsIn } from '../../../../books/book/links.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { documentOf, pictureOf, targetOf } from '../documents.ts'
import { type Frame, PIXEL, twips } from '../frame.ts'
import { drawingXml } from '../parts/drawing.ts'
import type { DocxPicture } from '../pictures.ts'
import type { Page, Writing } from '../writing.ts'
import type { DocxContext, Walk } from './context.ts'
import { asLength } from './table-layout.ts'

/** Loads the pictures of an element and everything inside it. */
export async function loadPictures(root: XmlElement, href: string, writing: Writing): Promise<void> {
  const { pictures, shown } = writing
  for (const element of elementsIn(root)) {
    const picture = pictureOf(element)
    if (!picture) continue
    const { address } = picture
    const target = targetOf(href, address)
    const loaded =
      address === undefined
        ? pictures.vectorGraphic(element, href)
        : pictures.resource(target === undefined ? address : documentOf(target))
    shown.set(element, await loaded)
  }
}

/** Writes an `img`, `svg` or `object`, or its alternative text if its picture is not available. */
export function writePicture(element: XmlElement, context: DocxContext, walk: Walk): void {
  const { writing, story, styleOf, look, frame } = context
  const picture = pictureOf(element)
  const shown = writing.shown.get(element)
  if (picture && shown) {
    const wanted = wantedSize(element, styleOf(element), frame, writing.page)
    story.inline(pictureRun(shown, wanted, picture.alternative, context), frame, look.link)
  } else if (element.name === 'object') walk.children(element, context)
  else if (picture?.alternative) story.text(picture.alternative, look, frame)
}

/** A run with a picture; its data are added to the package part that contains it. */
export function pictureRun(
  shown: DocxPicture,
  wanted: WantedSize,
  alternative: string,
  { writing, relationships, frame }: DocxContext,
): string {
  writing.vectorGraphics += 1
  return drawingXml({
    id: writing.vectorGraphics,
    relationship: relationships.add('image', `media/${shown.name}`),
    svgRelationship: shown.svg && relationships.add('image', `media/${shown.svg}`),
    ...pictureSize(shown, wanted, frame, writing.page),
    alternative: alternative.replace(/\s+/g, ' ').trim(),
  })
}

/** Minimum width of a picture in twentieths of a point, however narrow its place. */
const MIN_ROOM = 300
/** Maximum share of a page's height that a picture takes, so that its line fits. */
const MAX_PAGE_SHARE = 0.95

interface Size {
  width: number
  height: number
}

/** The requested size in twentieths of a point, as far as the book specifies one. */
interface WantedSize {
  width?: number | undefined
  height?: number | undefined
  maxWidth?: number | undefined
}

/** The size that styles or attributes give a picture. */
function wantedSize({ attributes }: XmlElement, css: Declarations, frame: Frame, page: Page): WantedSize {
  const length = (style: string | undefined, attribute: string | undefined, whole: number) =>
    twips(style, whole) ?? twips(asLength(attribute), whole)
  return {
    width: length(css.width, attributes.width, frame.width),
    height: length(css.height, attributes.height, page.height),
    maxWidth: twips(css['max-width'], frame.width),
  }
}

/**
 * The requested size of a picture, reduced if necessary to fit into its place and the page.
 * @param own its own size in CSS pixels
 * @returns CSS pixels
 */
function pictureSize(own: Size, wanted: WantedSize, frame: Frame, page: Page): Size {
  const ratio = own.height / own.width
  const width = wanted.width || (wanted.height ? wanted.height / ratio : own.width * PIXEL)
  const height = wanted.width && wanted.height ? wanted.height : width * ratio
  const room = Math.max(MIN_ROOM, frame.width - frame.left - frame.right)
  const scale = Math.min(
    1,
    room / width,
    (page.height * MAX_PAGE_SHARE) / height,
    (wanted.maxWidth || width) / width,
  )
  return { width: (width * scale) / PIXEL, height: (height * scale) / PIXEL }
}
