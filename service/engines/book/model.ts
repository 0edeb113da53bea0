/**
 * A book as every reader of ebooks gives it and every writer takes it, close to what EPUB 3 can say:
 * https://www.w3.org/TR/epub-33/
 */
export interface Book {
  metadata: Metadata
  /** Which side its pages are turned to. */
  direction: 'ltr' | 'rtl' | 'default'
  layout: 'reflowable' | 'fixed'
  rendition: Rendition
  /** How the lines of the whole book run, where its package says so. */
  primaryWritingMode?: WritingMode | undefined
  /** Everything the book consists of, by `href`; XHTML and SVG is well-formed UTF-8 without named entities. */
  resources: Map<string, Resource>
  /** The documents in the order they are read in. */
  spine: SpineItem[]
  navigation: NavigationEntry[]
  /** Where the pages of the printed edition begin. */
  pageList: NavigationEntry[]
  landmarks: Landmark[]
  /** `href` of the picture of its cover. */
  cover?: string | undefined
}

export type WritingMode = 'horizontal-tb' | 'horizontal-rl' | 'vertical-rl' | 'vertical-lr'

export interface Rendition {
  orientation?: 'auto' | 'landscape' | 'portrait' | undefined
  spread?: 'auto' | 'none' | 'landscape' | 'both' | undefined
  flow?: 'auto' | 'paginated' | 'scrolled-continuous' | 'scrolled-doc' | undefined
  /** Size of the pages of a fixed layout in CSS pixels. */
  viewport?: { width: number; height: number } | undefined
}

export interface Metadata {
  title: string
  titleFileAs?: string | undefined
  subtitle?: string | undefined
  authors: Person[]
  contributors: Person[]
  /** BCP 47, the main one first; never empty. */
  languages: string[]
  identifiers: Identifier[]
  /** The value of the identifier that the book is known by. */
  uniqueIdentifier: string
  publisher?: string | undefined
  /** As the book says it, usually `YYYY` or `YYYY-MM-DD`. */
  published?: string | undefined
  modified?: Date | undefined
  /** Text, or HTML as shops give it. */
  description?: string | undefined
  subjects: string[]
  rights?: string | undefined
  series?: { name: string; position?: string | undefined } | undefined
}

export interface Person {
  name: string
  /** The name as it is sorted: `Melville, Herman`. */
  fileAs?: string | undefined
  /** MARC relator: `aut`, `trl`, `ill` … (https://www.loc.gov/marc/relators/) */
  role?: string | undefined
}

export interface Identifier {
  /** `ISBN`, `UUID`, `DOI` …, where the book says so. */
  scheme: string | null
  value: string
}

export interface Resource {
  /** Path within the book: `/` between folders, decoded, without `.` and `..`, unique. */
  href: string
  mediaType: string
  bytes: Uint8Array
  /** Those of an EPUB 3 manifest: `svg`, `mathml`, `scripted`, `remote-resources`, `cover-image`, `nav` … */
  properties: string[]
  /** `href` of what stands for it where it cannot be shown. */
  fallback?: string | undefined
}

export interface SpineItem {
  href: string
  /** False for what is only reached by links, such as answers or notes. */
  linear: boolean
  /** Those of an EPUB 3 spine: `page-spread-left`, `rendition:layout-pre-paginated` … */
  properties: string[]
}

export interface NavigationEntry {
  title: string
  /** With its fragment; null for a heading that leads nowhere itself. */
  href: string | null
  children: NavigationEntry[]
}

export interface Landmark {
  /** `epub:type`: `cover`, `toc`, `bodymatter` … */
  type: string
  title: string
  /** With its fragment. */
  href: string
}
