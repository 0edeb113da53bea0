/** Reads what stands within a line of HTML: text and its marks, links, pictures, formulas and notes. */

import type { Declarations, StyleOf } from '../../../books/book/css/cascade.ts'
import { chosenCase } from '../../../books/book/markup/document.ts'
import { ownValue } from '../../../common/own-value.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import type { Align, Inline, Marks } from '../../model.ts'
import { codeLanguage, marksOf } from './elements.ts'
import { Flow } from './flow.ts'
import type { NoteElements } from './notes.ts'
import { mathmlIn, type PictureSources, pictureOf, vectorGraphicOf } from './objects.ts'
import { readRuby } from './ruby.ts'

/** What is known of the files around a page. */
export interface HtmlSurroundings extends PictureSources {
  styleOf: StyleOf
  /** Where a link that is not to the web leads: an address, or a place in the document. */
  link?(address: string): string | { anchor: string } | undefined
  /** The name in the document of the place with an `id`. */
  anchor?(id: string): string
  notes?: NoteElements
}

/** What an element inherits. */
export interface State {
  marks: Marks
  align: Align | undefined
  rightToLeft: boolean
  /** Of the code in it. */
  language: string | undefined
}

export const OUTERMOST: State = { marks: {}, align: undefined, rightToLeft: false, language: undefined }

export abstract class HtmlInlines {
  protected readonly around: HtmlSurroundings

  constructor(around: HtmlSurroundings) {
    this.around = around
  }

  /** Reads an element, whether it is a block or stands within a line. */
  protected abstract element(element: XmlElement, outer: State, flow: Flow): void

  protected stateIn(element: XmlElement, css: Declarations, outer: State): State {
    const { attributes } = element
    const align = css['text-align'] ?? (element.name === 'center' ? 'center' : '')
    return {
      marks: marksOf(element, css, outer.marks),
      align: align === '' ? outer.align : alignOf(align),
      rightToLeft: attributes.dir ? attributes.dir.toLowerCase() === 'rtl' : outer.rightToLeft,
      language: codeLanguage(attributes.class) ?? outer.language,
    }
  }

  protected anchorsOf({ name, attributes }: XmlElement): Inline[] {
    const ids = [attributes.id, name === 'a' ? attributes.name : undefined]
    return [...new Set(ids)].flatMap(id =>
      id && this.around.anchor ? [{ kind: 'anchor' as const, name: this.around.anchor(id) }] : [],
    )
  }

  protected children({ children }: Pick<XmlElement, 'children'>, state: State, flow: Flow): void {
    for (const child of children) {
      if (typeof child === 'string') flow.text(child, state.marks)
      else this.element(child, state, flow)
    }
  }

  /** A flow of its own for what is in an element. */
  protected flowOf(
    element: Pick<XmlElement, 'children'>,
    state: State,
    anchors: Inline[],
    isInline = false,
  ): Flow {
    const flow = new Flow(anchors, isInline)
    this.children(element, state, flow)
    return flow
  }

  protected inline(element: XmlElement, state: State, flow: Flow): void {
    const { name, attributes } = element
    if (name === 'br') {
      flow.break(state)
      return
    }
    for (const anchor of this.anchorsOf(element)) flow.add(anchor)
    const read = ownValue(this.#readers, name)
    if (read) {
      read(element, state, flow)
      return
    }
    const note = this.around.notes?.keyOf(element)
    if (note) {
      flow.add({ kind: 'note', key: note })
      return
    }
    const target = name === 'a' ? this.#target(attributes.href ?? '') : undefined
    if (!target) {
      this.children(element, state, flow)
      return
    }
    const wrap = (content: Inline[]): Inline =>
      typeof target === 'string'
        ? { kind: 'link', address: target, content }
        : { kind: 'reference', anchor: target.anchor, content }
    flow.link(wrap, () => this.children(element, state, flow))
  }

  readonly #shown = (parts: readonly Inline[], flow: Flow) => {
    for (const part of parts) flow.add(part)
  }

  readonly #readers: Record<string, (element: XmlElement, state: State, flow: Flow) => void> = {
    wbr: () => {},
    input: ({ attributes }, _, flow) => {
      if (attributes.type === 'checkbox') flow.text(attributes.checked === undefined ? '☐ ' : '☒ ', {})
    },
    img: (element, _, flow) => this.#shown(pictureOf(element, this.around), flow),
    image: (element, _, flow) => this.#shown(pictureOf(element, this.around), flow),
    svg: (element, _, flow) => this.#shown(vectorGraphicOf(element, this.around), flow),
    math: (element, { marks }, flow) => flow.add(mathmlIn(element, marks)),
    ruby: (element, state, flow) => {
      const read = (children: XmlElement['children']) => this.flowOf({ children }, state, [], true).inlines()
      this.#shown(readRuby(element, read), flow)
    },
    q: (element, state, flow) => {
      flow.text('“', state.marks)
      this.children(element, state, flow)
      flow.text('”', state.marks)
    },
    option: (element, state, flow) => {
      this.children(element, state, flow)
      flow.text(' ', state.marks)
    },
    'epub:switch': (element, state, flow) => this.children(chosenCase(element), state, flow),
  }

  #target(address: string): string | { anchor: string } | undefined {
    if (/^(?:https?|ftp|mailto|tel):/i.test(address)) return address
    return address === '' ? undefined : this.around.link?.(address)
  }
}

const alignOf = (value: string): Align | undefined =>
  /center$/.test(value) ? 'center' : /^(?:right|end)$|-right$/.test(value) ? 'right' : undefined
