import { createHash } from 'node:crypto'
import { escapeXml } from '../../../common/xml/characters.ts'
import type { Book, NavigationEntry, Resource } from '../../book/model.ts'
import { uuidOf } from '../../book/uuid.ts'

/** A book of chapters that share a style, as created by conversions from text. */
export interface AuthoredBook {
  title: string
  authors?: readonly string[]
  /** BCP 47; `und` if unknown. */
  language: string
  rightToLeft: boolean
  description?: string | undefined
  subjects?: readonly string[]
  /** `YYYY-MM-DD`. */
  published?: string | undefined
  /** Text from which the book's identifier is derived; equal texts give equal identifiers. */
  identity: string
  /** CSS of every chapter. */
  style: string
  chapters: readonly Chapter[]
  contents: readonly ContentsEntry[]
  pictures?: readonly BookPicture[]
  /** Name of the cover picture. */
  cover?: string | undefined
}

export interface Chapter {
  /** Name without suffix. */
  name: string
  title: string
  /** XHTML within `body`. */
  body: string
  /** In pixels, of a page of a fixed layout. */
  size?: { width: number; height: number }
}

export interface ContentsEntry {
  title: string
  /** Name of a chapter with `.xhtml`, and a fragment. */
  address: string
  children?: readonly ContentsEntry[]
}

export interface BookPicture {
  /** File name, without folders. */
  name: string
  mime: string
  bytes: Uint8Array
}

/** Creates the book from its description. */
export function authoredBook(authored: AuthoredBook): Book {
  const { title, authors = [], language, rightToLeft, description, identity, style, chapters } = authored
  const resources = new Map<string, Resource>()
  const add = (href: string, mediaType: string, content: string | Uint8Array) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    resources.set(href, { href, mediaType, bytes, properties: [] })
  }
  add('style.css', 'text/css', style)
  for (const chapter of chapters)
    add(`${chapter.name}.xhtml`, 'application/xhtml+xml', page(authored, chapter))
  for (const { name, mime, bytes } of authored.pictures ?? []) add(name, mime, bytes)
  const entries = (list: readonly ContentsEntry[]): NavigationEntry[] =>
    list.map(entry => ({ title: entry.title, href: entry.address, children: entries(entry.children ?? []) }))
  const uuid = uuidOf(createHash('sha256').update(identity).digest('hex'))
  return {
    metadata: {
      title,
      authors: authors.map(name => ({ name, role: 'aut' })),
      contributors: [],
      languages: [language],
      identifiers: [{ scheme: 'UUID', value: uuid }],
      uniqueIdentifier: uuid,
      description,
      published: authored.published,
      subjects: [...(authored.subjects ?? [])],
    },
    direction: rightToLeft ? 'rtl' : 'default',
    layout: 'reflowable',
    rendition: {},
    resources,
    spine: chapters.map(({ name }) => ({ href: `${name}.xhtml`, linear: true, properties: [] })),
    navigation: entries(authored.contents),
    pageList: [],
    landmarks: [],
    cover: authored.cover,
  }
}

function page({ language, rightToLeft }: AuthoredBook, { title, body, size }: Chapter): string {
  // Pages of pictures follow each other from right to left, though no text does.
  const direction = rightToLeft && !size ? ' dir="rtl"' : ''
  const viewport = size ? `<meta name="viewport" content="width=${size.width}, height=${size.height}"/>` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}"${direction}>
<head><title>${escapeXml(title)}</title>${viewport}<link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>
`
}
