import { decodeText } from '../../../common/text.ts'
import { type XmlElement, XmlError } from '../../../common/xml/element.ts'
import { withOwnEntities } from '../../../common/xml/entities.ts'
import { XHTML } from '../../../common/xml/namespaces.ts'
import { readTree, type XmlTree } from '../../../common/xml/tree.ts'
import { htmlOfDtbook } from './dtbook.ts'
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
    if (tree.root.name === 'dtbook') return { root: htmlOfDtbook(tree.root), isWellFormed: false }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
  }
  return { root: repairHtml(withOwnEntities(text)), isWellFormed: false }
}

/** The body of a document, or its root if it has no body. */
export function bodyOf(root: XmlElement): XmlElement {
  for (const child of root.children) if (typeof child === 'object' && child.name === 'body') return child
  return root
}
