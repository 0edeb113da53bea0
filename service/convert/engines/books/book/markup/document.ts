import { decodeText } from '../../../common/text.ts'
import { childOf, elementsOf, elementWith, type XmlElement, XmlError } from '../../../common/xml/element.ts'
import { withOwnEntities } from '../../../common/xml/entities.ts'
import { MATHML, XHTML } from '../../../common/xml/namespaces.ts'
import { readTree, type XmlTree } from '../../../common/xml/tree.ts'
import { repairHtml } from './repair.ts'

/**
 * Reads a content document in any condition: as XML if its tags match, otherwise as browsers read tag soup.
 * The root is always `html`.
 */
export function readXhtml(bytes: Uint8Array | string): XmlTree {
  const text = typeof bytes === 'string' ? bytes : decodeText(bytes)
  try {
    const tree = readTree(text, XHTML)
    if (tree.root.name === 'html') return tree
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
  }
  return { root: repairHtml(withOwnEntities(text)), isWellFormed: false }
}

/** The body of a document, or its root if it has no body. */
export const bodyOf = (root: XmlElement): XmlElement => childOf(root, 'body') ?? root

/** The case of a switch of EPUB that can be read, which is a formula, otherwise the default. */
export function chosenCase(element: XmlElement): XmlElement {
  const cases = elementsOf(element)
  const found =
    cases.find(each => each.name === 'epub:case' && each.attributes['required-namespace'] === MATHML) ??
    cases.find(({ name }) => name === 'epub:default')
  return found ?? elementWith('', [])
}
