/** Reads HTML as blocks of structured text, as browsers and pandoc do: what is no block stays in its paragraph. */

import { ownValue } from '../../../common/own-value.ts'
import { childOf, elementsOf, type XmlElement } from '../../../common/xml/element.ts'
import {
  type Block,
  type Definition,
  type Inline,
  paragraphOf,
  partsOf,
  runsOf,
  type TableRow,
} from '../../model.ts'
import { codeLanguage, isBlock, isOnLines, isSkipped } from './elements.ts'
import type { Flow } from './flow.ts'
import { HtmlInlines, OUTERMOST, type State } from './inlines.ts'
import { texFormula } from './objects.ts'

/** Largest `colspan` and `rowspan`. */
const MAX_SPAN = 256
const LIST_FORMATS: Record<string, string> = {
  ...{ a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' },
}

const BREAK: Inline = { kind: 'break' }

/** The block that an element is; null if there is nothing in it, undefined if it only holds text or other blocks. */
type ReadBlock = (element: XmlElement, state: State, flow: Flow) => Block | undefined | null

export class HtmlReader extends HtmlInlines {
  /** The blocks in an element, such as the body of a page. */
  read(element: XmlElement): Block[] {
    const state = this.stateIn(element, this.around.styleOf(element), OUTERMOST)
    const flow = this.flowOf(element, state, this.anchorsOf(element))
    flow.close(state)
    return settled(flow)
  }

  protected override element(element: XmlElement, outer: State, flow: Flow): void {
    if (this.around.notes?.isLeftOut(element)) return
    const formula = texFormula(element)
    if (formula) {
      flow.add(formula)
      return
    }
    const css = this.around.styleOf(element)
    if (isSkipped(element, css)) return
    const state = this.stateIn(element, css, outer)
    if (!isBlock(element, css)) {
      const isLine = isOnLines(element, css)
      if (isLine) flow.startLine()
      this.inline(element, state, flow)
      if (isLine) flow.startLine()
      return
    }
    flow.close(outer)
    for (const anchor of this.anchorsOf(element)) flow.add(anchor)
    const block = flow.isInline ? undefined : this.#block(element, state, flow)
    if (block) flow.blocks.push(block)
    else if (block === undefined) {
      this.children(element, state, flow)
      flow.close(state)
    }
  }

  #block(element: XmlElement, state: State, flow: Flow): Block | undefined | null {
    const { name } = element
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level) {
      const content = this.#run(element, state, flow)
      return content && { kind: 'heading', level: Number(level), content }
    }
    return ownValue(this.#readers, name)?.(element, state, flow)
  }

  readonly #asList: ReadBlock = (element, state, flow) => this.#list(element, state, flow)

  readonly #readers: Record<string, ReadBlock> = {
    pre: codeIn,
    listing: codeIn,
    xmp: codeIn,
    blockquote: (element, state, flow) => {
      const blocks = this.#inside(element, state, flow)
      const alert = /\bmarkdown-alert-(\w+)/.exec(element.attributes.class ?? '')?.[1]
      return blocks.length > 0 ? { kind: 'quote', blocks, ...(alert && { alert }) } : null
    },
    ul: this.#asList,
    ol: this.#asList,
    menu: this.#asList,
    dir: this.#asList,
    dl: (element, state, flow) => this.#definitions(element, state, flow),
    table: (element, state, flow) => this.#table(element, { ...state, align: undefined }, flow),
    figure: (element, state, flow) => this.#figure(element, state, flow),
    details: (element, state, flow) => {
      const head = childOf(element, 'summary')
      // Blocks in a summary, such as a heading, stand above what is folded away.
      if (head?.children.some(child => this.#isBlock(child))) return undefined
      const summary = this.#run(head, state, flow)
      const blocks = this.#inside(without(element, 'summary'), state, flow)
      return summary ? { kind: 'details', summary, blocks } : grouped(blocks, flow)
    },
    hr: element => (this.around.notes?.isRuleAbove(element) ? null : { kind: 'rule' }),
  }

  /** The blocks in an element, the first with the places that wait for text. */
  #inside(element: Pick<XmlElement, 'children'>, state: State, flow: Flow): Block[] {
    const inner = this.flowOf(element, state, flow.take())
    inner.close(state)
    if (inner.blocks.length > 0) return settled(inner)
    for (const anchor of inner.take()) flow.add(anchor)
    return []
  }

  /** An element as one run of text; null if it is empty. */
  #run(element: XmlElement | undefined, state: State, flow: Flow): Inline[] | null {
    if (!element) return null
    const content = this.flowOf(element, state, flow.take(), true).inlines()
    if (content.some(part => part.kind !== 'anchor')) return content
    for (const anchor of content) flow.add(anchor)
    return null
  }

  #list(element: XmlElement, state: State, flow: Flow): Block | null {
    const { name, attributes } = element
    const items: Block[][] = []
    for (const child of element.children) {
      const isText = typeof child === 'string'
      if (isText ? child.trim() === '' : this.around.notes?.isLeftOut(child)) continue
      const isItem = !isText && child.name === 'li'
      if (isItem && isSkipped(child, this.around.styleOf(child))) continue
      // Other content stands in an item of its own, or is a list below the item before it.
      const isBelow = !isText && /^(?:[uo]l|menu|dir)$/.test(child.name)
      if (isItem) for (const anchor of this.anchorsOf(child)) flow.add(anchor)
      const inner = isItem ? child : { children: [child] }
      const own = isItem ? this.stateIn(child, this.around.styleOf(child), state) : state
      const item = this.#inside(inner, own, flow)
      if (item.length === 0) continue
      if (isBelow && items.length > 0) items.at(-1)!.push(...item)
      else items.push(item)
    }
    if (items.length === 0) return null
    const start = Number.parseInt(attributes.start ?? '1', 10)
    const format = ownValue(LIST_FORMATS, attributes.type ?? '') ?? 'decimal'
    const isLoose = elementsOf(element).some(item => item.name === 'li' && this.#isBlock(shownIn(item)[0]))
    const list = {
      kind: 'list' as const,
      ordered: name === 'ol',
      start: start >= 0 ? start : 1,
      format,
      items,
    }
    return isLoose ? { ...list, isLoose } : list
  }

  #isBlock(child: XmlElement['children'][number] | undefined): boolean {
    return typeof child === 'object' && isBlock(child, this.around.styleOf(child))
  }

  #definitions(element: XmlElement, state: State, flow: Flow): Block | null {
    const items: Definition[] = []
    /** The first of the terms that the next definition is for. */
    let start = 0
    let isTerm = false
    const visit = (list: XmlElement) => {
      for (const child of elementsOf(list)) {
        const css = this.around.styleOf(child)
        if (isSkipped(child, css)) continue
        const own = this.stateIn(child, css, state)
        for (const anchor of this.anchorsOf(child)) flow.add(anchor)
        if (child.name === 'dt') {
          const term = this.#run(child, own, flow) ?? []
          if (!isTerm) start = items.length
          items.push({ term, definitions: [] })
          isTerm = true
        } else if (child.name === 'div') visit(child)
        else {
          const blocks = this.#inside(child.name === 'dd' ? child : { children: [child] }, own, flow)
          if (isTerm || items.length === 0) {
            const [term = [], ...others] = items.splice(start).map(item => item.term)
            items.push({ term: [...term, ...others.flatMap(each => [BREAK, ...each])], definitions: [] })
          }
          if (blocks.length > 0) items.at(-1)!.definitions.push(blocks)
          isTerm = false
        }
      }
    }
    visit(element)
    return items.length > 0 ? { kind: 'definitions', items } : null
  }

  #table(element: XmlElement, state: State, flow: Flow): Block | null {
    const caption = this.#run(childOf(element, 'caption'), state, flow)
    const rows = this.#rows(element, state, false, flow)
    const [only] = rows
    // A table with a single cell is only a box around text.
    if (rows.length === 1 && only?.cells.length === 1 && !caption) return grouped(only.cells[0]!.blocks, flow)
    return rows.length > 0 ? { kind: 'table', rows, ...(caption && { caption }) } : null
  }

  #rows(table: XmlElement, outer: State, isHead: boolean, flow: Flow): TableRow[] {
    return elementsOf(table).flatMap(child => {
      const css = this.around.styleOf(child)
      if (isSkipped(child, css)) return []
      const state = this.stateIn(child, css, outer)
      if (/^(?:thead|tbody|tfoot)$/.test(child.name))
        return this.#rows(child, state, child.name === 'thead', flow)
      if (child.name !== 'tr') return []
      const cells = elementsOf(child).filter(({ name }) => name === 'td' || name === 'th')
      const isHeader = cells.length > 0 && (isHead || cells.every(({ name }) => name === 'th'))
      const read = cells.map(cell => {
        const own = this.stateIn(cell, this.around.styleOf(cell), state)
        for (const anchor of this.anchorsOf(cell)) flow.add(anchor)
        return {
          columns: span(cell.attributes.colspan),
          rows: span(cell.attributes.rowspan),
          align: own.align,
          blocks: this.#inside(cell, { ...own, align: undefined }, flow),
        }
      })
      return read.length > 0 ? [{ isHeader, cells: read }] : []
    })
  }

  #figure(element: XmlElement, state: State, flow: Flow): Block | null {
    const caption = this.#run(childOf(element, 'figcaption'), state, flow)
    const blocks = this.#inside(without(element, 'figcaption'), state, flow)
    return caption ? { kind: 'figure', blocks, caption } : grouped(blocks, flow)
  }
}

/** The blocks of a flow; places after all text belong to the last one. */
function settled(flow: Flow): Block[] {
  const { blocks } = flow
  const left = flow.take()
  const last = left.length > 0 ? lastRun(blocks) : undefined
  if (last) last.push(...left)
  else if (left.length > 0) blocks.push(paragraphOf(left))
  return blocks
}

function lastRun(blocks: readonly Block[]): Inline[] | undefined {
  const last = blocks.at(-1)
  return last && (runsOf(last).at(-1) ?? lastRun(partsOf(last).at(-1) ?? []))
}

/** Adds blocks in place of the element that holds them. */
function grouped(blocks: Block[], flow: Flow): null {
  flow.blocks.push(...blocks)
  return null
}

const shownIn = ({ children }: XmlElement) =>
  children.filter(child => typeof child !== 'string' || child.trim() !== '')

const without = ({ children }: XmlElement, name: string): Pick<XmlElement, 'children'> => ({
  children: children.filter(child => typeof child === 'string' || child.name !== name),
})

const span = (value: string | undefined) =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(value ?? '1', 10) || 1))

/** Code with its lines as they are. */
function codeIn(element: XmlElement, { language: outer }: State): Block | null {
  const words = ({ name, children }: XmlElement): string =>
    name === 'br' ? '\n' : children.map(child => (typeof child === 'string' ? child : words(child))).join('')
  const text = words(element).replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd()
  const language =
    elementsOf(element)
      .map(child => codeLanguage(child.attributes.class))
      .find(Boolean) ?? outer
  return text === '' ? null : { kind: 'code', text, ...(language && { language }) }
}
