/**
 * Reads FictionBook 2 (http://www.fictionbook.org/index.php/Eng:XML_Schema_Fictionbook_2.1): its text is written anew as HTML, which it
 * is near to.
 */
import { JobFailure } from '../../../../shared/errors.ts'
import { ownValue } from '../../common/own-value.ts'
import {
  childOf,
  childrenOf,
  elementsOf,
  elementWith,
  textOf,
  type XmlElement,
} from '../../common/xml/element.ts'
import { soundRoot } from '../../common/xml/tree.ts'
import { type Document, documentWith } from '../model.ts'
import { htmlBlocks } from './html/page.ts'

/** A document with the pictures of its book by id. */
export interface FictionBook extends Document {
  pictures: ReadonlyMap<string, Uint8Array>
  /** Id of the picture of the cover. */
  cover: string
}

/** @throws JobFailure corrupt_input */
export function readFictionBook(bytes: Uint8Array): FictionBook {
  const root = soundRoot(bytes)
  if (root.name !== 'FictionBook') throw new JobFailure('jobs.corrupt_input')
  const info = childOf(childOf(root, 'description'), 'title-info')
  const text = (name: string) => flat(textOf(childOf(info, name)))
  const annotation = childOf(info, 'annotation')
  const bodies = childrenOf(root, 'body')
  const isNotes = ({ attributes: { name = '' } }: XmlElement) => /^(?:notes|comments|footnotes)$/i.test(name)
  const notes = bodies.filter(isNotes).flatMap(body => childrenOf(body, 'section'))
  const noteIds = new Set(notes.map(({ attributes: { id } }) => id))
  const pictures = new Map(
    childrenOf(root, 'binary').map(binary => [
      binary.attributes.id ?? '',
      new Uint8Array(Buffer.from(textOf(binary), 'base64')),
    ]),
  )
  const html = elementWith('body', [
    ...(annotation ? [htmlOf(annotation, 1, noteIds)] : []),
    ...bodies.filter(body => !isNotes(body)).map(body => htmlOf(body, 1, noteIds)),
    ...notes.map(note =>
      elementWith('aside', contentOf(note, 1, noteIds, 'title'), { ...note.attributes, ...NOTE }),
    ),
  ])
  return {
    ...documentWith({
      title: text('book-title'),
      authors: childrenOf(info, 'author').map(nameOf).filter(Boolean),
      language: text('lang'),
      description: flat(textOf(annotation)),
      keywords: [...childrenOf(info, 'genre').map(textOf), ...text('keywords').split(',')]
        .map(flat)
        .filter(Boolean),
      file: id => pictures.get(id),
      ...htmlBlocks(html, {
        picture: address => (pictures.has(address) ? { file: address } : undefined),
        vectorGraphic: () => ({ file: '' }),
        link: address => (address.startsWith('#') ? { anchor: address.slice(1) } : undefined),
        anchor: id => id,
      }),
    }),
    pictures,
    cover: idIn(childOf(childOf(info, 'coverpage'), 'image')),
  }
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

const nameOf = (author: XmlElement): string => {
  const parts = ['first-name', 'middle-name', 'last-name'].map(name => flat(textOf(childOf(author, name))))
  return parts.filter(Boolean).join(' ') || flat(textOf(childOf(author, 'nickname')))
}

/** An address as written, whatever the prefix of XLink. */
const addressOf = ({ attributes }: XmlElement): string =>
  Object.entries(attributes).find(([name]) => /(?:^|:)href$/.test(name))?.[1] ?? ''

/** The id that a picture refers to. */
const idIn = (image: XmlElement | undefined): string => (image ? addressOf(image).replace(/^#/, '') : '')

const NOTE = { 'epub:type': 'footnote' }
const RIGHT = { style: 'text-align: right; font-style: italic' }

/** What stands for an element in HTML, and how that looks; all others have the name or the meaning that they have there. */
const HTML: Record<string, [name: string, attributes?: Record<string, string>]> = {
  ...{ emphasis: ['em'], strikethrough: ['s'], style: ['span'], body: ['section'], annotation: ['div'] },
  ...{ cite: ['blockquote'], epigraph: ['blockquote'], poem: ['blockquote'], v: ['p'] },
  ...{ 'text-author': ['p', RIGHT], date: ['p', RIGHT] },
  subtitle: ['p', { style: 'text-align: center; font-weight: bold' }],
}

type Ids = ReadonlySet<string | undefined>

/** @param level of the headings of a section */
function htmlOf(source: XmlElement, level: number, notes: Ids): XmlElement {
  const { name, attributes } = source
  switch (name) {
    case 'title':
      return elementWith(`h${Math.min(level, 6)}`, linesOf(source, level, notes), attributes)
    case 'stanza':
      return elementWith('p', linesOf(source, level, notes), attributes)
    case 'empty-line':
      return elementWith('p', ['\u00a0'])
    case 'image':
      return elementWith('img', [], { src: idIn(source), alt: attributes.alt ?? attributes.title ?? '' })
    case 'a': {
      const href = addressOf(source)
      const isNote = notes.has(href.slice(1))
      return elementWith('a', contentOf(source, level, notes), {
        href,
        ...(isNote && { 'epub:type': 'noteref' }),
      })
    }
  }
  const [made, more] = ownValue(HTML, name) ?? [name]
  return elementWith(made, contentOf(source, name === 'section' ? level + 1 : level, notes), {
    ...attributes,
    ...more,
  })
}

const contentOf = (source: XmlElement, level: number, notes: Ids, without?: string): XmlElement['children'] =>
  source.children.flatMap(child => {
    if (typeof child === 'string') return child
    return child.name === without ? [] : htmlOf(child, level, notes)
  })

/** The content of paragraphs or verses as the lines of one. */
const linesOf = (source: XmlElement, level: number, notes: Ids): XmlElement['children'] =>
  elementsOf(source).flatMap((line, index) => [
    ...(index > 0 ? [elementWith('br', [])] : []),
    ...contentOf(line, level, notes),
  ])
