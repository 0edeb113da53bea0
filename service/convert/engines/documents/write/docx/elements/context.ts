import type { StyleOf } from '../../../../books/book/css/cascade.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import type { Frame } from '../frame.ts'
import type { Look } from '../look.ts'
import type { Note } from '../notes.ts'
import type { Relationships } from '../parts/package.ts'
import type { Story } from '../story.ts'
import type { Writing } from '../writing.ts'

/** A note whose text is being written. */
export interface OpenNote extends Pick<Note, 'backs' | 'marks'> {
  /** Whether none of its words have been written yet. */
  isAtStart: boolean
}

/** The position of an element in the book, and where its text goes in the Word document. */
export interface DocxContext {
  writing: Writing
  /** Document of the book. */
  href: string
  styleOf: StyleOf
  /** The text, cell or note being written. */
  story: Story
  /** Relationships of the package part that contains the story. */
  relationships: Relationships
  /** Absent outside notes; a note contains no notes itself. */
  note?: OpenNote
  look: Look
  frame: Frame
}

/** Writes the content of an element; passed to the writers of single elements. */
export interface Walk {
  element(element: XmlElement, outer: DocxContext): void
  children(element: XmlElement, context: DocxContext): void
}

/** The initial context of a story. */
export const startContext = (writing: Writing, story: Story): DocxContext => ({
  writing,
  href: '',
  styleOf: () => ({}),
  story,
  relationships: writing.relationships,
  look: { scale: 1, keepsSpace: false },
  frame: {
    style: 'Normal',
    left: 0,
    right: 0,
    indent: 0,
    rightToLeft: false,
    level: 0,
    width: writing.page.width,
  },
})
