import type { StyleOf } from '../../../../engines/book/css/cascade.ts'
import type { XmlElement } from '../../../../engines/formats/xml.ts'
import type { Relationships } from '../../../../engines/word/package.ts'
import type { Frame } from '../frame.ts'
import type { Look } from '../look.ts'
import type { Note } from '../notes.ts'
import type { Story } from '../story.ts'
import type { Writing } from '../writing.ts'

/** A note whose text is being written. */
export interface OpenNote extends Pick<Note, 'backs' | 'marks'> {
  /** Whether none of its words is written yet. */
  isAtStart: boolean
}

/** Where an element stands in the book, and where in the Word document its text goes. */
export interface Context {
  writing: Writing
  /** Document of the book. */
  href: string
  styleOf: StyleOf
  /** The text, cell or note it goes into. */
  story: Story
  /** Of the part of the package that the story is in. */
  relationships: Relationships
  /** Absent outside notes; a note has no notes itself. */
  note?: OpenNote
  look: Look
  frame: Frame
}

/** Writes what is within an element; handed to those who write one kind of element each. */
export interface Walk {
  element(element: XmlElement, outer: Context): void
  children(element: XmlElement, context: Context): void
}

/** The context of a story that no element of the book stands around. */
export const startContext = (writing: Writing, story: Story): Context => ({
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
