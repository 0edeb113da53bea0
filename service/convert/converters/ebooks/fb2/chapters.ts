/** The text of a FictionBook as chapters of XHTML. */

import type { Chapter, ContentsEntry } from '../../../engines/books/epub/write/author.ts'
import { addressOf, type FictionBook, linkOf, titleOf } from '../../../engines/books/fictionbook/read.ts'
import { ownValue } from '../../../engines/common/own-value.ts'
import { escapeXml } from '../../../engines/common/xml/characters.ts'
import type { XmlElement } from '../../../engines/common/xml/element.ts'

/** Sections down to this depth are files of their own. */
const FILE_DEPTH = 2

/** Elements that have a meaning in XHTML. */
const TAGS: Record<string, string> = {
  strong: 'strong',
  emphasis: 'em',
  strikethrough: 's',
  sub: 'sub',
  sup: 'sup',
  code: 'code',
  style: 'span',
  p: 'p',
  table: 'table',
  tr: 'tr',
  th: 'th',
  td: 'td',
  cite: 'blockquote',
}
/** Elements that only have a class. */
const CLASSES: Record<string, [tag: string, name: string]> = {
  poem: ['div', 'poem'],
  stanza: ['div', 'stanza'],
  v: ['p', 'verse'],
  subtitle: ['p', 'subtitle'],
  'text-author': ['p', 'author'],
  date: ['p', 'author'],
  epigraph: ['blockquote', 'epigraph'],
  annotation: ['div', 'annotation'],
}

interface Written {
  chapters: Chapter[]
  contents: ContentsEntry[]
}

/** @param pictureName file name of a picture by its id; undefined if it is not there */
export function chaptersOf(book: FictionBook, pictureName: (id: string) => string | undefined): Written {
  return new Writer(pictureName).write(book)
}

class Writer {
  readonly #pictureName: (id: string) => string | undefined
  readonly #chapters: Chapter[] = []
  /** Number and file of each id. */
  readonly #places = new Map<string, { number: number; file: string }>()
  readonly #noteIds = new Set<string>()

  constructor(pictureName: (id: string) => string | undefined) {
    this.#pictureName = pictureName
  }

  write({ title, annotation, bodies, notes }: FictionBook): Written {
    for (const body of notes)
      for (const { attributes } of sectionsIn(body)) this.#noteIds.add(attributes.id ?? '')
    if (annotation) this.#file(title, () => this.#element(annotation, 1))
    const contents = bodies.flatMap(body => this.#section(body, 0, title))
    for (const body of notes) {
      const own = titleOf(body) || '*'
      const name = this.#file(own, () => this.#children(body, 1))
      contents.push({ title: own, address: `${name}.xhtml` })
    }
    const chapters = this.#chapters.map(chapter => ({ ...chapter, body: this.#resolved(chapter) }))
    return { chapters, contents }
  }

  /** Writes a section and those within it, as files. */
  #section(section: XmlElement, depth: number, title: string): ContentsEntry[] {
    const within = sectionsIn(section)
    const own =
      depth < FILE_DEPTH
        ? { ...section, children: section.children.filter(child => !isSection(child)) }
        : section
    const heading = titleOf(section)
    const hasText = own.children.some(child => typeof child === 'object' || child.trim() !== '')
    const name = hasText ? this.#file(heading || title, () => this.#wrapped(own, depth + 1)) : undefined
    const children =
      depth < FILE_DEPTH ? within.flatMap(each => this.#section(each, depth + 1, heading || title)) : []
    const [first] = children
    const address = name ? `${name}.xhtml` : first?.address
    return heading && address ? [{ title: heading, address, children }] : children
  }

  #file(title: string, write: () => string): string {
    const name = `chapter${this.#chapters.length + 1}`
    const chapter = { name, title, body: '' }
    this.#chapters.push(chapter)
    chapter.body = write()
    return name
  }

  #wrapped(section: XmlElement, level: number): string {
    return `<section${this.#id(section)}>\n${this.#children(section, level)}\n</section>`
  }

  #children(element: XmlElement, level: number): string {
    return element.children
      .map(child => (typeof child === 'string' ? escapeXml(child) : this.#element(child, level)))
      .join('')
  }

  #element(element: XmlElement, level: number): string {
    const { name, attributes } = element
    if (name === 'title') return this.#title(element, level)
    if (name === 'empty-line') return '<p class="empty">\u00a0</p>'
    if (name === 'section') {
      const isNote = this.#noteIds.has(attributes.id ?? '')
      return isNote
        ? `<aside epub:type="footnote"${this.#id(element)}>${this.#children(element, level + 1)}</aside>`
        : this.#wrapped(element, level + 1)
    }
    if (name === 'image') {
      const picture = this.#pictureName(linkOf(element) ?? '')
      return picture
        ? `<img src="${escapeXml(picture)}" alt="${escapeXml(attributes.alt ?? attributes.title ?? '')}"/>`
        : ''
    }
    const inner = this.#children(element, level)
    if (name === 'a') return this.#link(element, inner)
    const [tag, kind] = ownValue(CLASSES, name) ?? [ownValue(TAGS, name), '']
    // What is unknown keeps its content.
    if (!tag) return inner
    const spans = ['colspan', 'rowspan'].map(key => {
      const value = Number(attributes[key])
      return (tag === 'td' || tag === 'th') && value > 1 && value < 1000
        ? ` ${key}="${Math.floor(value)}"`
        : ''
    })
    return `<${tag}${kind && ` class="${kind}"`}${this.#id(element)}${spans.join('')}>${inner}</${tag}>`
  }

  /** A heading whose lines were paragraphs. */
  #title(element: XmlElement, level: number): string {
    const lines = element.children.flatMap(child =>
      typeof child === 'object' && child.name === 'p' ? this.#children(child, level).trim() : [],
    )
    const tag = `h${Math.min(level, 6)}`
    return lines.length > 0 ? `<${tag}${this.#id(element)}>${lines.join('<br/>')}</${tag}>\n` : ''
  }

  #link(element: XmlElement, inner: string): string {
    const id = linkOf(element)
    if (id !== undefined) {
      const isNote = this.#noteIds.has(id)
      return `<a${isNote ? ' epub:type="noteref"' : ''} href="{${encodeURIComponent(id)}}">${inner}</a>`
    }
    const address = addressOf(element) ?? ''
    return /^(?:https?|mailto):/i.test(address) && URL.canParse(address)
      ? `<a href="${escapeXml(new URL(address).href)}">${inner}</a>`
      : inner
  }

  /** The first element with an id gets it, under a name that XML allows. */
  #id({ attributes: { id } }: XmlElement): string {
    if (!id || this.#places.has(id)) return ''
    const number = this.#places.size + 1
    this.#places.set(id, { number, file: this.#chapters.at(-1)!.name })
    return ` id="i${number}"`
  }

  /** Links with the addresses of their places; one to nothing loses its address. */
  #resolved({ name, body }: Chapter): string {
    return body.replace(
      /<a( epub:type="noteref")? href="\{([^}]*)\}">/g,
      (_, type: string | undefined, id: string) => {
        const place = this.#places.get(decodeURIComponent(id))
        if (!place) return '<a>'
        return `<a${type ?? ''} href="${place.file === name ? '' : `${place.file}.xhtml`}#i${place.number}">`
      },
    )
  }
}

const isSection = (child: XmlElement | string): child is XmlElement =>
  typeof child === 'object' && child.name === 'section'

const sectionsIn = ({ children }: XmlElement): XmlElement[] => children.filter(isSection)
