/** The rows of a table of LaTeX, as they are written one after another: https://ctan.org/pkg/booktabs */
import { type HtmlCell, table } from '../by-html.ts'

const ALIGNMENTS: Record<string, string> = { c: 'center', r: 'right' }
/** Most columns of a table. */
const MOST = 500

export class TexTable {
  caption = ''
  readonly #columns: string[]
  readonly #rows: HtmlCell[][] = []
  #row: HtmlCell[] = []
  #heads = 0
  #at = 0
  /** Of the cell that is open. */
  #span = { columns: 1, rows: 1 }

  /** @param columns how they are aligned, such as `l|c p{2cm}` */
  constructor(columns: string) {
    const repeated = columns.replace(/\*\s*\{(\d{1,2})\}\s*\{([^{}]*)\}/g, (_, count, inner) =>
      inner.slice(0, 100).repeat(Number(count)),
    )
    this.#columns = [...repeated.replace(/\{[^{}]*\}/g, '').replace(/[^a-zA-Z]/g, '')].slice(0, MOST)
  }

  span(side: 'columns' | 'rows', count: string): void {
    this.#span[side] = Math.min(Math.max(1, Number.parseInt(count, 10) || 1), MOST)
  }

  cell(html: string): void {
    const { columns } = this.#span
    const align = columns === 1 ? ALIGNMENTS[this.#columns[this.#at] ?? ''] : undefined
    this.#row.push({ html, align, ...this.#span })
    this.#at += columns
    this.#span = { columns: 1, rows: 1 }
  }

  endRow(): void {
    if (this.#row.some(({ html }) => html !== '') || this.#row.length > 1) this.#rows.push(this.#row)
    this.#row = []
    this.#at = 0
  }

  /** The rows until now are the head, if it has none. */
  endHead(): void {
    this.#heads ||= this.#rows.length
  }

  /** The rows after the head are what stands at the end of pages, or the head again. */
  repeat(): void {
    this.endHead()
    this.#rows.length = this.#heads
  }

  toString(): string {
    return table(this.#rows, this.#heads < this.#rows.length ? this.#heads : 0, this.caption)
  }
}
