import { escapeXml } from '../../../common/xml/characters.ts'
import type { Book } from '../../book/model.ts'
import { packageRecord } from './fixed-records.ts'

/** Spine attributes that Kindle keeps, and metadata without an EXTH record, as written by kindlegen. */
export function bookPackageRecord(book: Book, hrefs: readonly string[]): Uint8Array {
  const { metadata, spine, direction } = book
  const items = new Map(spine.map(item => [item.href, item]))
  const references = hrefs.map((href, index) => {
    const item = items.get(href)
    const linear = item?.linear === false ? ' linear="no"' : ''
    const properties =
      item && item.properties.length > 0 ? ` properties="${escapeXml(item.properties.join(' '))}"` : ''
    return `<itemref idref="item${index + 1}"${linear}${properties} skelid="${index}"/>`
  })
  const metas: string[] = []
  const named = (name: string, content: string | undefined) => {
    if (content) metas.push(`<meta name="${name}" content="${escapeXml(content)}"/>`)
  }
  const property = (name: string, value: string | undefined, id?: string) => {
    if (!value) return
    metas.push(`<meta property="${name}"${id ? ` id="${id}"` : ''}>${escapeXml(value)}</meta>`)
  }
  for (const language of metadata.languages.slice(1)) {
    metas.push(`<dc:language>${escapeXml(language)}</dc:language>`)
  }
  if (metadata.subtitle) {
    metas.push(`<dc:title id="subtitle">${escapeXml(metadata.subtitle)}</dc:title>`)
    metas.push('<meta refines="#subtitle" property="title-type">subtitle</meta>')
  }
  for (const { scheme, value } of metadata.identifiers) {
    if (value === metadata.uniqueIdentifier || /isbn/i.test(scheme ?? value)) continue
    const named = scheme ? ` opf:scheme="${escapeXml(scheme)}"` : ''
    metas.push(`<dc:identifier${named}>${escapeXml(value)}</dc:identifier>`)
  }
  if (metadata.series) {
    property('belongs-to-collection', metadata.series.name, 'series')
    metas.push('<meta refines="#series" property="collection-type">series</meta>')
    if (metadata.series.position) {
      const position = escapeXml(metadata.series.position)
      metas.push(`<meta refines="#series" property="group-position">${position}</meta>`)
    }
    named('calibre:series', metadata.series.name)
    named('calibre:series_index', metadata.series.position)
  }
  if (book.layout === 'fixed') property('rendition:layout', 'pre-paginated')
  property('rendition:orientation', book.rendition.orientation)
  property('rendition:spread', book.rendition.spread)
  property('rendition:flow', book.rendition.flow)
  const progression = direction === 'default' ? '' : ` page-progression-direction="${direction}"`
  return packageRecord(
    '<?xml version="1.0" encoding="utf-8"?><package version="2.0" xmlns="http://www.idpf.org/2007/opf">' +
      `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">${metas.join('')}</metadata><spine${progression}>${references.join('')}</spine></package>`,
  )
}
