/** The HTML of LaTeX as it comes about: the groups and environments that are open, and what stands in them. */
import { escapeXml } from '../../../common/xml/characters.ts'
import { tight } from '../by-html.ts'
import type { TexTable } from './tables.ts'

/** Blocks within one another, and groups that are open; deeper ones are text. */
const DEEPEST = 30
const MOST_OPEN = 300

/** A group, whose name is empty, or an environment that is open. */
export interface OpenGroup {
  name: string
  /** HTML's elements around its text. */
  marks: string
  /** Blocks, and the text of the paragraph that is open, which those inside of it may share. */
  blocks: string[]
  line: { marks: string; html: string[] }[]
  close?: (frame: OpenGroup) => void
  table?: TexTable
  caption?: string
  /** Of a list, and the term of the item that is open. */
  items?: string[]
  term?: string | undefined
}

export class TexOutput {
  protected readonly frames: OpenGroup[] = [{ name: '', marks: '', blocks: [], line: [] }]
  #ignored = 0
  #depth = 0

  protected get top(): OpenGroup {
    return this.frames.at(-1)!
  }

  protected text(text: string): void {
    this.html(escapeXml(text))
  }

  /** Adds to the paragraph that is open. */
  protected html(html: string): void {
    const { marks, line } = this.top
    const last = line.at(-1)
    if (last?.marks === marks) last.html.push(html)
    else line.push({ marks, html: [html] })
  }

  protected block(html: string): void {
    flush(this.top)
    if (html) this.top.blocks.push(html)
  }

  protected open(name: string, marks: string, more: Partial<OpenGroup> = {}): void {
    const { blocks, line } = this.top
    if (this.frames.length >= MOST_OPEN) this.#ignored++
    else this.frames.push({ name, marks, blocks, line, ...more })
  }

  /** Opens a group or an environment whose content goes elsewhere when it ends. */
  protected inside(name: string, more: Partial<OpenGroup>, close: (frame: OpenGroup) => void): void {
    if (this.#depth >= DEEPEST) {
      this.open(name, this.top.marks)
      return
    }
    this.#depth++
    const end = (frame: OpenGroup) => {
      this.#depth--
      close(frame)
    }
    this.open(name, '', { blocks: [], line: [], close: end, ...more })
  }

  protected close(): void {
    const frame = this.frames.pop()!
    frame.close?.(frame)
  }

  /** Ends a group, unless it was one too many. */
  protected closeGroup(): void {
    if (this.#ignored > 0) this.#ignored--
    else if (this.top.name === '' && this.frames.length > 1) this.close()
  }

  protected endCell(table: TexTable, frame = this.top): TexTable {
    table.cell(tight(htmlOf(frame)))
    frame.blocks.length = 0
    return table
  }

  protected endItem(list: OpenGroup): void {
    const html = htmlOf(list)
    list.blocks.length = 0
    if (list.term !== undefined && list.name === 'description')
      list.items!.push(`<dt>${list.term}</dt><dd>${html}</dd>`)
    else if (html || list.term) list.items!.push(`<li>${list.term ? `${list.term} ` : ''}${tight(html)}</li>`)
    list.term = undefined
  }
}

/** Ends the paragraph that is open. */
export function flush({ blocks, line }: OpenGroup): void {
  const html = line.map(run => {
    const tags = run.marks === '' ? [] : run.marks.split(' ')
    const open = tags.map(tag => (tag === 'span' ? '<span style="font-variant: small-caps">' : `<${tag}>`))
    const close = tags.toReversed().map(tag => `</${tag}>`)
    return [...open, ...run.html, ...close].join('')
  })
  const text = html.join('').trim()
  line.length = 0
  if (text !== '') blocks.push(/^(?:<a id="[^"]*"><\/a>\s*)+$/.test(text) ? text : `<p>${text}</p>`)
}

export function htmlOf(frame: OpenGroup): string {
  flush(frame)
  return frame.blocks.join('\n')
}
