/** Reads FictionBook 2: http://www.fictionbook.org/index.php/Eng:XML_Schema_Fictionbook_2.1 */
import { JobFailure } from '../../../../shared/errors.ts'
import { decodeText } from '../../common/text.ts'
import {
  childOf,
  childrenOf,
  elementsOf,
  textOf,
  type XmlElement,
  XmlError,
} from '../../common/xml/element.ts'
import { readTree } from '../../common/xml/tree.ts'

export interface FictionBook {
  title: string
  authors: string[]
  /** BCP 47, or empty. */
  language: string
  subjects: string[]
  annotation: XmlElement | undefined
  /** Id of the cover picture. */
  cover: string | undefined
  /** The text of the book; its first body has no name. */
  bodies: XmlElement[]
  /** Bodies of notes and comments. */
  notes: XmlElement[]
  pictures: Map<string, Uint8Array>
}

/** @throws JobFailure corrupt_input */
export function readFictionBook(bytes: Uint8Array): FictionBook {
  const root = rootOf(bytes)
  if (root.name !== 'FictionBook') throw new JobFailure('jobs.corrupt_input')
  const info = childOf(childOf(root, 'description'), 'title-info')
  const text = (name: string) => flat(textOf(childOf(info, name)))
  const bodies = childrenOf(root, 'body')
  const isNotes = ({ attributes }: XmlElement) =>
    /^(?:notes|comments|footnotes)$/i.test(attributes.name ?? '')
  return {
    title: text('book-title'),
    authors: childrenOf(info, 'author').map(nameOf).filter(Boolean),
    language: text('lang'),
    subjects: [...childrenOf(info, 'genre').map(textOf), ...text('keywords').split(',')]
      .map(flat)
      .filter(Boolean),
    annotation: childOf(info, 'annotation'),
    cover: linkOf(childOf(childOf(info, 'coverpage'), 'image')),
    bodies: bodies.filter(body => !isNotes(body)),
    notes: bodies.filter(isNotes),
    pictures: new Map(
      childrenOf(root, 'binary').map(binary => [
        binary.attributes.id ?? '',
        new Uint8Array(Buffer.from(textOf(binary), 'base64')),
      ]),
    ),
  }
}

function rootOf(bytes: Uint8Array): XmlElement {
  try {
    return readTree(decodeText(bytes), '').root
  } catch (cause) {
    throw cause instanceof XmlError ? new JobFailure('jobs.corrupt_input', undefined, { cause }) : cause
  }
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

const nameOf = (author: XmlElement): string => {
  const parts = ['first-name', 'middle-name', 'last-name'].map(name => flat(textOf(childOf(author, name))))
  return parts.filter(Boolean).join(' ') || flat(textOf(childOf(author, 'nickname')))
}

/** The id that a picture or link refers to; undefined for an address outside the book. */
export function linkOf(element: XmlElement | undefined): string | undefined {
  const address = addressOf(element)
  return address?.startsWith('#') ? address.slice(1) : undefined
}

/** As written, whatever the prefix of XLink. */
export const addressOf = (element: XmlElement | undefined): string | undefined =>
  Object.entries(element?.attributes ?? {}).find(([name]) => /(?:^|:)href$/.test(name))?.[1]

/** The heading of a section, its lines joined. */
export const titleOf = (section: XmlElement): string =>
  elementsOf(childOf(section, 'title'))
    .map(line => flat(textOf(line)))
    .filter(Boolean)
    .join(' · ')
