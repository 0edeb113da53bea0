import { escapeXml } from '../../../common/xml/characters.ts'
import { ByteWriter } from '../../../fonts/sfnt/data.ts'
import type { Book } from '../../book/model.ts'
import { metadataXml } from '../../epub/write/metadata.ts'

/** Spine attributes that Kindle keeps, and metadata without an EXTH record, as written by kindlegen. */
export function bookPackageRecord(book: Book, hrefs: readonly string[], date: Date): Uint8Array {
  const { spine, direction } = book
  const { title, subtitle, series, languages, identifiers, uniqueIdentifier } = book.metadata
  const metadata = { title, subtitle, series, languages, identifiers, uniqueIdentifier }
  const others = { authors: [], contributors: [], subjects: [] }
  const items = new Map(spine.map(item => [item.href, item]))
  const references = hrefs.map((href, index) => {
    const item = items.get(href)
    const linear = item?.linear === false ? ' linear="no"' : ''
    const properties =
      item && item.properties.length > 0 ? ` properties="${escapeXml(item.properties.join(' '))}"` : ''
    return `<itemref idref="item${index + 1}"${linear}${properties} skelid="${index}"/>`
  })
  const progression = direction === 'default' ? '' : ` page-progression-direction="${direction}"`
  return packageRecord(
    '<?xml version="1.0" encoding="utf-8"?><package version="2.0" unique-identifier="uid" xmlns="http://www.idpf.org/2007/opf">' +
      `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadataXml({ ...book, metadata: { ...metadata, ...others } }, date)}</metadata><spine${progression}>${references.join('')}</spine></package>`,
  )
}

function packageRecord(xml: string): Uint8Array {
  const bytes = Buffer.from(xml)
  const writer = new ByteWriter(bytes.length + 64)
  writer.tag('RESC')
  writer.u32(16)
  writer.u32(1)
  writer.u32(24)
  writer.bytes(
    Buffer.from(`size=${bytes.length.toString(32).toUpperCase().padStart(2, '0')}&version=1&type=1`),
  )
  writer.bytes(bytes)
  writer.pad(4)
  return writer.take()
}
