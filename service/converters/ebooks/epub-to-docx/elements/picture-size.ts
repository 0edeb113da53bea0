import type { Declarations } from '../../../../engines/book/css/cascade.ts'
import type { XmlElement } from '../../../../engines/formats/xml.ts'
import { type Frame, PIXEL, twips } from '../frame.ts'
import type { Page } from '../writing.ts'

/** Twentieths of a point that a picture may have in any case, however narrow the place it stands in. */
const LEAST_ROOM = 300
/** Share of the height of a page that a picture takes at most, so that its line fits. */
const MOST_OF_PAGE = 0.95

interface Size {
  width: number
  height: number
}

/** A size that the book asks for, in twentieths of a point, as far as it does. */
export interface WantedSize {
  width?: number | undefined
  height?: number | undefined
  maxWidth?: number | undefined
}

/** The size that styles or attributes give a picture. */
export function wantedSize(
  { attributes }: XmlElement,
  css: Declarations,
  frame: Frame,
  page: Page,
): WantedSize {
  const length = (style: string | undefined, attribute: string | undefined, whole: number) =>
    twips(style, whole) ?? twips(inPixels(attribute), whole)
  return {
    width: length(css.width, attributes.width, frame.width),
    height: length(css.height, attributes.height, page.height),
    maxWidth: twips(css['max-width'], frame.width),
  }
}

const inPixels = (attribute: string | undefined) =>
  /^[\d.]+$/.test(attribute ?? '') ? `${attribute}px` : attribute

/**
 * The size of a picture as it is wanted, made smaller where it must fit into its place and the page.
 * @param own its own size in CSS pixels
 * @returns CSS pixels
 */
export function pictureSize(own: Size, wanted: WantedSize, frame: Frame, page: Page): Size {
  const ratio = own.height / own.width
  const width = wanted.width || (wanted.height ? wanted.height / ratio : own.width * PIXEL)
  const height = wanted.width && wanted.height ? wanted.height : width * ratio
  const room = Math.max(LEAST_ROOM, frame.width - frame.left - frame.right)
  const scale = Math.min(
    1,
    room / width,
    (page.height * MOST_OF_PAGE) / height,
    (wanted.maxWidth || width) / width,
  )
  return { width: (width * scale) / PIXEL, height: (height * scale) / PIXEL }
}
