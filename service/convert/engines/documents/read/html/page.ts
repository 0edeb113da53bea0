/** Reads a web page as structured text, without its layout. */
import { StyleSheets } from '../../../books/book/css/cascade.ts'
import { elementsIn } from '../../../books/book/links.ts'
import { bodyOf, readXhtml } from '../../../books/book/markup/document.ts'
import { decodePercent, readDataAddress } from '../../../common/addresses.ts'
import { findIn, textOf, type XmlElement } from '../../../common/xml/element.ts'
import type { ReadOptions } from '../../format.ts'
import { type Block, type Document, documentWith } from '../../model.ts'
import { HtmlReader } from './blocks.ts'
import { PROPERTIES } from './elements.ts'
import type { HtmlSurroundings } from './inlines.ts'
import { NoteElements } from './notes.ts'

/** Nothing is loaded: pictures elsewhere keep their addresses, or are left out where the files `beside` the page are all there is. */
export function readWebPage(html: Uint8Array | string, { beside }: ReadOptions = {}): Document {
  const { root } = readXhtml(html)
  const files = new Map<string, Uint8Array>()
  const keep = (bytes: Uint8Array) => {
    const file = `picture${files.size + 1}`
    files.set(file, bytes)
    return { file }
  }
  const picture = (address: string) => {
    const data = readDataAddress(address)
    const bytes = data?.bytes ?? beside?.(address)
    if (bytes) return keep(bytes)
    if (beside) return undefined
    return /^(?:https?|file):/i.test(address) || isRelative(address) ? { address } : undefined
  }
  const ids = new Map(
    [...elementsIn(root)].flatMap(({ attributes: { id, name } }) =>
      [id, name].flatMap(own => (own ? [[own.toLowerCase(), own] as const] : [])),
    ),
  )
  const { lang = '', 'xml:lang': language = lang, dir } = root.attributes
  return documentWith({
    title: textOf(findIn(root, 'title')).replace(/\s+/g, ' ').trim(),
    language,
    rightToLeft: (dir ?? bodyOf(root).attributes.dir) === 'rtl',
    ...htmlBlocks(root, {
      picture,
      vectorGraphic: svg => keep(Buffer.from(svg)),
      link: address => (isRelative(address) ? address : placeOf(address, ids)),
      anchor: id => id,
    }),
    file: name => files.get(name),
  })
}

/**
 * The blocks and notes of a page.
 * @param styles its style sheets; without them, those in the page alone count
 */
export function htmlBlocks(
  root: XmlElement,
  around: Omit<HtmlSurroundings, 'styleOf' | 'notes'>,
  { sheets = new StyleSheets({ resources: new Map() }, PROPERTIES), href = '' } = {},
): { blocks: Block[]; notes: Map<string, Block[]> } {
  const notes = new NoteElements(root, id => around.anchor?.(id) ?? id)
  const styleOf = sheets.stylesOf(root, href)
  const reader = new HtmlReader({ ...around, styleOf, notes })
  const blocks = reader.read(bodyOf(root))
  return { blocks, notes: new Map(Array.from(notes.all(), ([key, note]) => [key, reader.read(note)])) }
}

/** Where a link within the page leads. */
function placeOf(address: string, ids: ReadonlyMap<string, string>): { anchor: string } | undefined {
  const id = address.startsWith('#') ? ids.get(decodePercent(address.slice(1)).toLowerCase()) : undefined
  return id === undefined ? undefined : { anchor: id }
}

/** Leads to a file beside the page. Browsers ignore control characters and spaces in a scheme. */
const isRelative = (address: string) =>
  /^[^#]/.test(address) && !/^[a-z][\w+.-]*:/i.test(address.replace(/[\0-\x20]/g, ''))
