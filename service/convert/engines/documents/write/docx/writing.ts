import type { StyleSheets } from '../../../books/book/css/cascade.ts'
import type { Book } from '../../../books/book/model.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { Bookmarks } from './bookmarks.ts'
import type { Documents } from './documents.ts'
import { Numbering } from './parts/numbering.ts'
import { Relationships } from './parts/package.ts'
import type { DocxPicture, Pictures } from './pictures.ts'
import type { Survey } from './survey.ts'

/** Space between the margins of a page, in twentieths of a point. */
export interface Page {
  width: number
  height: number
}

export interface Footnotes {
  /** Elements that are notes; nothing is written at their place in the book. */
  elements: ReadonlySet<XmlElement>
  /** Numbers of the notes referenced so far, by the places of their texts. */
  numbers: Map<string, number>
  /** Paragraphs of the notes as XML, in the order of their numbers. */
  texts: string[]
  relationships: Relationships
}

/** State shared while one book is written. */
export interface Writing {
  survey: Survey
  documents: Documents
  styles: StyleSheets
  pictures: Pictures
  /** Pictures of the elements that will be written next. */
  shown: WeakMap<XmlElement, DocxPicture | undefined>
  bookmarks: Bookmarks
  footnotes: Footnotes
  numbering: Numbering
  relationships: Relationships
  page: Page
  /** Whether links to files beside it are kept. */
  linksFiles: boolean
  /** Language of the book in BCP 47. */
  language: string
  /** Number of DrawingML objects so far, which are numbered throughout the document. */
  vectorGraphics: number
  /** Number of formulas that became text because Word cannot represent them. */
  lostFormulas: number
  /** Recordings and the like. */
  lostMedia: number
}

/** The initial state for a book. */
export function startWriting(
  { metadata }: Book,
  survey: Survey,
  tools: Pick<Writing, 'documents' | 'pictures' | 'page' | 'linksFiles' | 'styles'>,
): Writing {
  return {
    ...tools,
    survey,
    shown: new WeakMap(),
    bookmarks: new Bookmarks(survey.places),
    footnotes: {
      elements: new Set([...survey.notes.values()].map(({ element }) => element)),
      numbers: new Map(),
      texts: [],
      relationships: new Relationships(),
    },
    numbering: new Numbering(),
    relationships: new Relationships(),
    language: metadata.languages[0] ?? 'und',
    vectorGraphics: 0,
    lostFormulas: 0,
    lostMedia: 0,
  }
}
