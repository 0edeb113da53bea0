/**
 * The book model that all ebook readers produce and all writers accept. It is close to EPUB 3:
 * https://www.w3.org/TR/epub-33/
 */
export interface Book {
  metadata: Metadata
  /** Page progression direction. */
  direction: 'ltr' | 'rtl' | 'default'
  layout: 'reflowable' | 'fixed'
  rendition: Rendition
  /** Writing mode of the whole book, if its package declares it. */
  primaryWritingMode?: WritingMode | undefined
  /** All files of the book by `href`; XHTML and SVG are well-formed UTF-8 without named entities. */
  resources: Map<string, Resource>
  /** The documents in reading order. */
  spine: SpineItem[]
  navigation: NavigationEntry[]
  /** Starts of the pages of the printed edition. */
  pageList: NavigationEntry[]
  landmarks: Landmark[]
  /** `href` of the cover picture. */
  cover?: string | undefined
}

export type WritingMode = 'horizontal-tb' | 'horizontal-rl' | 'vertical-rl' | 'vertical-lr'

export interface Rendition {
  orientation?: 'auto' | 'landscape' | 'portrait' | undefined
  spread?: 'auto' | 'none' | 'landscape' | 'both' | undefined
  flow?: 'auto' | 'paginated' | 'scrolled-continuous' | 'scrolled-doc' | undefined
  /** Page size of a fixed layout in CSS pixels. */
  viewport?: { width: number; height: number } | undefined
}

export interface Metadata {
  title: string
  titleFileAs?: string | undefined
  subtitle?: string | undefined
  authors: Person[]
  contributors: Person[]
  /** BCP 47, with the main language first; never empty. */
  languages: string[]
  identifiers: Identifier[]
  /** The value of the book's unique identifier. */
  uniqueIdentifier: string
  publisher?: string | undefined
  /** As written in the book, usually `YYYY` or `YYYY-MM-DD`. */
  published?: string | undefined
  modified?: Date | undefined
  /** Text or HTML, as provided by shops. */
  description?: string | undefined
  subjects: string[]
  rights?: string | undefined
  series?: { name: string; position?: string | undefined } | undefined
}

export interface Person {
  name: string
  /** The name for sorting: `Melville, Herman`. */
  fileAs?: string | undefined
  /** MARC relator: `aut`, `trl`, `ill` … (https://www.loc.gov/marc/relators/) */
  role?: string | undefined
}

export interface Identifier {
  /** `ISBN`, `UUID`, `DOI` …, if the book declares it. */
  scheme: string | null
  value: string
}

export interface Resource {
  /** Path within the book: `/` between folders, decoded, without `.` and `..`, unique. */
  href: string
  mediaType: string
  bytes: Uint8Array
  /** Properties of an EPUB 3 manifest: `svg`, `mathml`, `scripted`, `remote-resources`, `cover-image`, `nav` … */
  properties: string[]
  /** `href` of the fallback for readers that cannot show it. */
  fallback?: string | undefined
}

export interface SpineItem {
  href: string
  /** False for documents that are only reached by links, such as answers or notes. */
  linear: boolean
  /** Properties of an EPUB 3 spine: `page-spread-left`, `rendition:layout-pre-paginated` … */
  properties: string[]
}

export interface NavigationEntry {
  title: string
  /** Target as joined by `joinTarget`; null for a heading without a link. */
  href: string | null
  children: NavigationEntry[]
}

export interface Landmark {
  /** `epub:type`: `cover`, `toc`, `bodymatter` … */
  type: string
  title: string
  /** Target as joined by `joinTarget`. */
  href: string
}
