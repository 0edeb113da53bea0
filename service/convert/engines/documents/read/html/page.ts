/** Reads a web page as structured text, without its layout. */
import { elementsIn } from '../../../books/book/links.ts'
import { bodyOf, readXhtml } from '../../../books/book/markup/document.ts'
import { decodePercent, readDataAddress } from '../../../common/addresses.ts'
import { findIn, textOf } from '../../../common/xml/element.ts'
import { documentWith, type WordDocument } from '../../model.ts'
import { htmlBlocks } from './blocks.ts'

/** Pictures in other files or on the web keep their addresses; nothing is loaded. */
export function readWebPage(html: Uint8Array): WordDocument {
  const { root } = readXhtml(html)
  const files = new Map<string, Uint8Array>()
  const picture = (address: string) => {
    const data = readDataAddress(address)
    if (!data) return /^https?:/i.test(address) || isRelative(address) ? { address } : undefined
    const name = `picture${files.size + 1}`
    files.set(name, data.bytes)
    return { file: name }
  }
  const ids = new Set([...elementsIn(root)].flatMap(({ attributes }) => attributes.id ?? []))
  const { lang = '', 'xml:lang': language = lang, dir } = root.attributes
  return documentWith({
    title: textOf(findIn(root, 'title')).replace(/\s+/g, ' ').trim(),
    language,
    rightToLeft: (dir ?? bodyOf(root).attributes.dir) === 'rtl',
    blocks: htmlBlocks(html, picture, {
      link: address => (isRelative(address) ? address : placeOf(address, ids)),
      anchor: id => id,
    }),
    file: name => files.get(name),
  })
}

/** Where a link within the page leads. */
function placeOf(address: string, ids: ReadonlySet<string>): { anchor: string } | undefined {
  const id = decodePercent(address.slice(1))
  return address.startsWith('#') && ids.has(id) ? { anchor: id } : undefined
}

/** Leads to a file beside the page. */
const isRelative = (address: string) => /^[^#]/.test(address) && !/^[a-z][\w+.-]*:/i.test(address)
