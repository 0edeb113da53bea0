import { onlyPicture, wordsIn } from '../../../books/book/drawings.ts'
import { textOf, type XmlElement } from '../../../common/xml/element.ts'

export interface PictureElement {
  /** The reference as written; absent for an inline drawing. */
  address?: string
  alternative: string
}

/** The picture that an element shows; undefined if it is not a picture. */
export function pictureOf(element: XmlElement): PictureElement | undefined {
  const { name, attributes } = element
  if (name === 'img') return { address: attributes.src ?? '', alternative: attributes.alt ?? '' }
  if (name === 'object' && /^image\//.test(attributes.type ?? ''))
    return { address: attributes.data ?? '', alternative: textOf(element).trim() }
  if (name !== 'svg') return undefined
  const alternative = attributes['aria-label'] ?? wordsIn(element)
  const address = onlyPicture(element)
  return address === undefined ? { alternative } : { address, alternative }
}
