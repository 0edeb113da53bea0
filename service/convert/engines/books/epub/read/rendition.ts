import { textOf, type XmlElement } from '../../../common/xml/element.ts'
import type { Book, Rendition } from '../../book/model.ts'
import { metadataOf } from './metadata.ts'

/** How a package declares that its book is shown: https://www.w3.org/TR/epub-33/#sec-rendering-metadata */
export function renditionOf(root: XmlElement | undefined): Pick<Book, 'layout' | 'primaryWritingMode'> & {
  rendition: Rendition
} {
  const declared = new Map<string, string>()
  for (const element of metadataOf(root)) {
    const { property, name, content, refines } = element.attributes
    if (element.name !== 'meta' || refines) continue
    if (property) declared.set(property, textOf(element).trim())
    else if (name) declared.set(name, content?.trim() ?? '')
  }
  const oneOf = <Word extends string>(property: string, ...words: Word[]) =>
    words.find(word => word === declared.get(property))
  const isFixed =
    declared.get('rendition:layout') === 'pre-paginated' || declared.get('fixed-layout') === 'true'
  return {
    layout: isFixed ? 'fixed' : 'reflowable',
    rendition: {
      orientation: oneOf('rendition:orientation', 'auto', 'landscape', 'portrait'),
      spread: oneOf('rendition:spread', 'auto', 'none', 'landscape', 'both'),
      flow: oneOf('rendition:flow', 'auto', 'paginated', 'scrolled-continuous', 'scrolled-doc'),
      viewport: viewportOf(declared.get('rendition:viewport') ?? declared.get('original-resolution')),
    },
    primaryWritingMode: oneOf(
      'primary-writing-mode',
      ...(['horizontal-tb', 'horizontal-rl', 'vertical-rl', 'vertical-lr'] as const),
    ),
  }
}

export function viewportOf(text = ''): Rendition['viewport'] {
  const [, width = /width\s*=\s*(\d+)/.exec(text)?.[1], height = /height\s*=\s*(\d+)/.exec(text)?.[1]] =
    /^(\d+)\s*x\s*(\d+)$/.exec(text) ?? []
  return width && height ? { width: Number(width), height: Number(height) } : undefined
}
