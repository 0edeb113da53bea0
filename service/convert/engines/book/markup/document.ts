import { type XmlElement, XmlError } from '../../formats/xml.ts'
import { htmlOfDtbook } from './dtbook.ts'
import { withOwnEntities } from './entities.ts'
import { XHTML } from './namespaces.ts'
import { repairHtml } from './repair.ts'
import { readTree, type XmlTree } from './tree.ts'

/**
 * Decodes an XML, HTML or CSS file with the encoding given by its first bytes, its declaration or its `meta`.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second, third] = bytes
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be')
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return decoded(bytes, 'utf-16le')
  if (first === 0 && second === 0x3c) return decoded(bytes, 'utf-16be')
  const utf8 = () => decoded(bytes, 'utf-8')
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8()
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const [, named] =
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^@charset "([\w.:-]+)"/.exec(head) ??
    []
  if (named === undefined || /^utf-?(8|16)/i.test(named)) return utf8()
  try {
    // Files with a wrong declaration are mostly UTF-8.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decoded(bytes, named)
  }
}

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

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
