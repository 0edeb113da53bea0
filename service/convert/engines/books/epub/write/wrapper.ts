import { escapeXml } from '../../../common/xml/characters.ts'
import { relativeHref } from '../../book/links.ts'
import { isDocument, isPicture, isSvg } from '../../book/media-types.ts'
import type { Book, Resource } from '../../book/model.ts'

/** A page for a picture that is in the spine itself; undefined for SVG and for pictures that already have a page. */
export function wrapperPage(
  resource: Resource,
  resources: ReadonlyMap<string, Resource>,
  { metadata: { languages } }: Pick<Book, 'metadata'>,
): Resource | undefined {
  const { href, mediaType } = resource
  if (isDocument(mediaType) || isSvg(mediaType) || !isPicture(mediaType)) return undefined
  const path = `${href}.xhtml`
  if (resources.has(path)) return undefined
  const language = escapeXml(languages[0] ?? 'und')
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="${language}" xml:lang="${language}">
<head><title>${escapeXml(href.slice(href.lastIndexOf('/') + 1))}</title></head>
<body><div style="text-align: center"><img src="${escapeXml(relativeHref(path, { href, fragment: '' }))}" alt="" style="max-width: 100%; max-height: 100%"/></div></body>
</html>
`
  return { href: path, mediaType: 'application/xhtml+xml', bytes: Buffer.from(text), properties: [] }
}
