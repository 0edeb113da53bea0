import { decodeText } from '../../common/text.ts'
import { escapeXml } from '../../common/xml/characters.ts'
import { XmlError } from '../../common/xml/element.ts'
import { XmlScanner } from '../../common/xml/scan.ts'
import { readXhtml } from '../book/markup/document.ts'
import { writeDocument } from '../book/markup/write.ts'
import { isDocument, mediaTypeOf } from '../book/media-types.ts'
import { Container, readPart } from '../epub/read/container.ts'
import { findCover } from '../epub/read/cover.ts'
import { type Package, readPackage } from '../epub/read/package.ts'
import { writeZip, type ZipFile } from '../epub/zip.ts'
import { withSpans } from './spans.ts'

/** Files that programs and systems leave in books and that no reader needs. */
const litter =
  /(?:^|\/)(?:\.DS_Store|Thumbs\.db|iTunesMetadata\.plist|iTunesArtwork|calibre_bookmarks\.txt)$|^__MACOSX\//

/**
 * Converts an EPUB to the variant that suits Kobo's readers best (kepub): its documents get spans, and its cover is
 * marked as in EPUB 3. All other files are unchanged, including obfuscated fonts and media files of the text.
 * @param progress called with the fraction that is done
 * @returns the book, the number of files that its package names but that are missing, and damaged files that are left out
 * @throws JobFailure corrupt_input, encrypted_input, too_large
 */
export async function writeKepub(
  path: string,
  progress: (share: number) => void,
): Promise<{ bytes: Buffer; missing: number; damaged: string[] }> {
  await using container = await Container.open(path)
  const opf = await readPackage(container)
  const items = [...opf.items.values()]
  const listed = new Set(items.map(({ href }) => href))
  const documents = new Set(
    items
      .filter(({ mediaType, properties }) => isDocument(mediaType) && !properties.includes('nav'))
      .map(({ href }) => href),
  )
  const cover = await findCover(container, opf)
  const files: ZipFile[] = [{ name: 'mimetype', content: Buffer.from('application/epub+zip'), stored: true }]
  const damaged: string[] = []
  let done = 0
  for (const name of container.entries.keys()) {
    if (name === 'mimetype' || (litter.test(name) && !listed.has(name))) continue
    if (documents.has(name)) {
      const bytes = await container.read(name)
      files.push({ name, content: documentWithSpans(bytes) })
      progress(++done / documents.size)
    } else if (name === opf.path && cover !== undefined) {
      files.push({ name, content: withCover(await container.read(name), opf, cover) })
    } else if (await readPart(container, name, mediaTypeOf(name))) {
      files.push({ name, content: await container.readPacked(name) })
    } else damaged.push(name)
  }
  return { bytes: await writeZip(files), missing: opf.missing, damaged }
}

function documentWithSpans(bytes: Uint8Array): Uint8Array {
  const text = decodeText(bytes)
  const isUtf8 = !/^\s*<\?xml[^>]*\sencoding\s*=\s*["'](?!utf-8["'])/i.test(text)
  if (isUtf8) {
    try {
      if (/<html[\s>]/.test(text)) return Buffer.from(withSpans(text))
    } catch (error) {
      if (!(error instanceof XmlError)) throw error
    }
  }
  return Buffer.from(withSpans(writeDocument(readXhtml(text).root)))
}

/**
 * The package with `cover-image` at its cover picture, if no item has it: Kobo's readers look for nothing else, even in EPUB 2
 * books, whose packages have no such attribute.
 */
function withCover(bytes: Uint8Array, { items }: Package, href: string): Uint8Array {
  const all = [...items.values()]
  const cover = all.find(item => item.href === href)
  if (!cover || all.some(({ properties }) => properties.includes('cover-image'))) return bytes
  const text = decodeText(bytes)
  const scanner = new XmlScanner(text)
  while (scanner.next()) {
    const { kind, name, attributes, from, to } = scanner
    if (kind !== 'start' || !/(?:^|:)item$/.test(name)) continue
    if (attributes.get('id') !== cover.id) continue
    attributes.set('properties', `${attributes.get('properties') ?? ''} cover-image`.trim())
    const attributeText = [...attributes].map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('')
    return Buffer.from(
      `${text.slice(0, from)}<${name}${attributeText}${scanner.isEmpty ? '/' : ''}>${text.slice(to)}`,
    )
  }
  return bytes
}
