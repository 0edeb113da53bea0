/** Text as it flows into paragraphs. */
import { addText, type Block, type Inline, type Marks, type Paragraph, paragraphOf } from '../../model.ts'

const WIDE = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]'

type Look = Pick<Paragraph, 'align' | 'rightToLeft'>

/** Collects blocks, and inline content in a paragraph that is open. White space collapses as in CSS. */
export class Flow {
  readonly blocks: Block[] = []
  readonly #isInline: boolean
  /** Open links, with where their content begins. */
  readonly #links: { start: number; wrap: (content: Inline[]) => Inline }[] = []
  #content: Inline[]
  #endsInSpace = true

  /**
   * @param anchors places at its beginning
   * @param isInline whether it is one run of inline content, in which paragraphs are apart by breaks
   */
  constructor(anchors: Inline[] = [], isInline = false) {
    this.#content = anchors
    this.#isInline = isInline
  }

  get isInline(): boolean {
    return this.#isInline
  }

  text(text: string, marks: Marks): void {
    const flat = text.replace(BROKEN, '').replace(/[ \t\r\n\f]+/g, ' ')
    const added = this.#endsInSpace && flat.startsWith(' ') ? flat.slice(1) : flat
    if (added === '') return
    this.#endsInSpace = added.endsWith(' ')
    addText(this.#content, added, marks, this.#links.at(-1)?.start)
  }

  add(part: Inline): void {
    this.#content.push(part)
    if (part.kind !== 'anchor') this.#endsInSpace = part.kind === 'break'
  }

  /** A line break; two of them part paragraphs. */
  break(look: Look): void {
    if (!this.#isInline && this.#content.at(-1)?.kind === 'break') this.close(look)
    else this.add({ kind: 'break' })
  }

  /** Ends a line that has started. */
  startLine(): void {
    const last = this.#content.findLast(part => part.kind !== 'anchor')
    if (last && last.kind !== 'break') this.add({ kind: 'break' })
  }

  /** Wraps what is added meanwhile, in each paragraph. */
  link(wrap: (content: Inline[]) => Inline, add: () => void): void {
    this.#links.push({ start: this.#content.length, wrap })
    add()
    const { start } = this.#links.pop()!
    this.#wrap(start, wrap)
  }

  #wrap(start: number, wrap: (content: Inline[]) => Inline): void {
    const content = this.#content.splice(start)
    if (content.every(part => part.kind === 'anchor')) this.#content.push(...content)
    else this.#content.push(wrap(content))
  }

  /** Ends the open paragraph; places without text wait for the next one. */
  close(look: Look): void {
    for (const { start, wrap } of this.#links.toReversed()) this.#wrap(start, wrap)
    for (const link of this.#links) link.start = 0
    const content = trimmed(this.#content)
    const isEmpty = content.every(part => part.kind === 'anchor')
    this.#endsInSpace = true
    if (this.#isInline) {
      if (!isEmpty) content.push({ kind: 'break' })
    } else if (!isEmpty) {
      this.#content = []
      this.blocks.push(paragraphOf(content, look))
    }
    for (const link of this.#links) link.start = this.#content.length
  }

  /** Places that wait for text. */
  take(): Inline[] {
    return this.#content.splice(0)
  }

  /** The content of a flow that is inline. */
  inlines(): Inline[] {
    return trimmed(this.#content)
  }
}

/** A line break between Chinese or Japanese, which have no spaces: https://www.w3.org/TR/css-text-3/#line-break-transform */
const BROKEN = new RegExp(`(?<=${WIDE})[ \\t]*\\r?\\n\\s*(?=${WIDE})`, 'gu')

/** Takes spaces and breaks from the end of content. */
function trimmed(content: Inline[]): Inline[] {
  for (let last = content.pop(); last; last = content.pop()) {
    if (last.kind === 'break') continue
    if (last.kind === 'link' || last.kind === 'reference') {
      if (trimmed(last.content).length === 0) continue
    } else if (last.kind === 'text') {
      // A line with nothing but a space is none.
      const text =
        last.text.trim() === '' && content.at(-1)?.kind === 'break' ? '' : last.text.replace(/ +$/, '')
      if (text === '') continue
      last = { ...last, text }
    }
    content.push(last)
    break
  }
  return content
}
