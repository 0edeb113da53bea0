import type { Declarations } from '../../../../books/book/css/cascade.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import { type Frame, PIXEL, twips } from '../frame.ts'
import type { Page } from '../writing.ts'

/** Minimum width of a picture in twentieths of a point, however narrow its place. */
const MIN_ROOM = 300
/** Maximum share of a page's height that a picture takes, so that its line fits. */
const MAX_PAGE_SHARE = 0.95

interface Size {
  width: number
  height: number
}

/** The requested size in twentieths of a point, as far as the book specifies one. */
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
 * The requested size of a picture, reduced if necessary to fit into its place and the page.
 * @param own its own size in CSS pixels
 * @returns CSS pixels
 */
export function pictureSize(own: Size, wanted: WantedSize, frame: Frame, page: Page): Size {
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
