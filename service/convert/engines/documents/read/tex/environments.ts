/** What stands between the beginnings and ends of LaTeX: formulas, code, tables, lists, quotes, floats and theorems. */
import { ownValue } from '../../../common/own-value.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import { anchor, captioned, equation, pre, tight } from '../by-html.ts'
import { TexNumbers } from './numbers.ts'
import { flush, htmlOf, TexOutput } from './output.ts'
import { Scanner } from './scanner.ts'
import { TexTable } from './tables.ts'
import { kindOf, rowsOf, SKIPPED } from './words.ts'

export abstract class TexEnvironments extends TexOutput {
  readonly unknown = new Set<string>()
  protected readonly numbers = new TexNumbers()
  protected readonly theorems = new Map<string, string>()
  protected source = new Scanner('')

  /** Reads what comes next. */
  protected abstract step(): void

  protected begin(name: string): void {
    const source = this.source
    const kind = kindOf(name)
    const rest = () => source.until(`\\end{${name}}`)
    const plain = name.replace(/\*$/, '')
    const { marks } = this.top
    if (kind === 'math') {
      if (plain === 'alignat') source.argument()
      const [before, after] = rowsOf(plain)
      this.formula(before + rest() + after, plain !== 'math')
      return
    }
    flush(this.top)
    if (kind === 'verbatim') {
      const options = plain === 'verbatim' ? '' : (source.take(/\[[^\]\n]*\]/y)?.[0] ?? '')
      const language =
        plain === 'minted' ? source.argument() : /language=\{?(?:\[[^\]]*\])?(\w+)/.exec(options)?.[1]
      const text = rest().replace(/^[ \t]*\n|\n[ \t]*$/g, '')
      this.block(pre(text.split('\n'), language?.toLowerCase()))
    } else if (kind === 'lost') {
      rest()
      this.unknown.add(name)
    } else if (kind === 'table') {
      if (/[xy*]$|xl/.test(name)) source.argument()
      source.option()
      const table = new TexTable(source.argument())
      this.inside(name, { table }, frame => {
        this.endCell(table, frame).endRow()
        table.caption = frame.caption ?? ''
        this.block(String(table))
      })
    } else if (kind === 'list') {
      if (name === 'thebibliography') source.argument()
      this.inside(name, { items: [] }, list => {
        this.endItem(list)
        const tag = plain === 'description' ? 'dl' : /enum|bib/.test(plain) ? 'ol' : 'ul'
        this.block(list.items!.length > 0 ? `<${tag}>${list.items!.join('\n')}</${tag}>` : '')
      })
      source.option()
    } else if (kind === 'quote')
      this.inside(name, {}, frame => this.block(`<blockquote>${htmlOf(frame)}</blockquote>`))
    else if (kind === 'float') {
      this.skip(plain)
      this.inside(name, {}, frame => {
        const html = htmlOf(frame)
        const { caption = '' } = frame
        if (html.includes('<table>')) this.block(captioned(html, caption))
        else this.block(caption ? `<figure>${tight(html)}<figcaption>${caption}</figcaption></figure>` : html)
      })
    } else {
      this.open(name, marks)
      const theorem = this.theorems.get(name)
      if (theorem) {
        this.numbers.count(name)
        const title = source.option()
        this.html(
          `<strong>${theorem} ${this.numbers.current}</strong>${title ? ` (${this.fragment(title)})` : ''}. `,
        )
      } else if (name === 'proof') this.html('<em>Proof.</em> ')
      else {
        if (!kind) this.unknown.add(name)
        this.skip(name)
      }
    }
  }

  protected end(name: string): void {
    if (name === 'document') this.source.at = this.source.text.length
    const open = this.frames.findLastIndex(frame => frame.name === name)
    if (open < 1) return
    while (this.frames.length > open) {
      flush(this.top)
      this.close()
    }
  }

  /** Passes arguments that show nothing. */
  protected skip(name: string): void {
    this.source.option()
    for (let left = ownValue(SKIPPED, name) ?? 0; left > 0; left--) {
      this.source.argument()
      this.source.option()
    }
  }

  protected formula(tex: string, display: boolean): void {
    for (const [, name = ''] of tex.matchAll(/\\label\s*\{([^{}]*)\}/g)) this.html(anchor(name))
    this.html(equation(tex.replace(/\\(?:label\s*\{[^{}]*\}|nonumber\b|notag\b)/g, '').trim(), display))
  }

  /** Reads the argument that comes next, and uses its HTML when it ends. */
  protected argument(use: (html: string) => void): void {
    if (this.source.take(/\s*\{/y)) this.inside('', {}, frame => use(htmlOf(frame)))
    else use(escapeXml(this.source.argument()))
  }

  /** The HTML of a short text within a line. */
  protected fragment(text: string): string {
    const outer = this.source
    const open = this.frames.length
    let html = ''
    this.source = new Scanner(text)
    this.inside('', {}, frame => {
      html = tight(htmlOf(frame))
    })
    while (!this.source.isAtEnd) this.step()
    while (this.frames.length > open) this.close()
    this.source = outer
    return html
  }
}
