/** Pictures in the text: loaded before a document is written, then written in place. */
import { elementsIn } from '../../../../books/book/links.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { drawingXml } from '../../../word/drawing.ts'
import { documentOf, targetOf } from '../documents.ts'
import { pictureOf } from '../picture-elements.ts'
import type { DocxPicture } from '../pictures.ts'
import type { Writing } from '../writing.ts'
import type { DocxContext, Walk } from './context.ts'
import { pictureSize, type WantedSize, wantedSize } from './picture-size.ts'

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
