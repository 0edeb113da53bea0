/** Reads LaTeX by way of the HTML that it stands for; none of its programs runs: https://latexref.xyz/ */
import { ownValue } from '../../../common/own-value.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import { type Document, runsOf, plainText as textOf } from '../../model.ts'
import { documentOf, equation, type Facts, link, noteLink, picture, pre, tight } from '../by-html.ts'
import { plainText } from '../decode.ts'
import { readWebPage } from '../html/page.ts'
import { BEGIN, expanded } from './expand.ts'
import { Scanner } from './scanner.ts'
import { TexTable } from './tables.ts'
import { ACCENTS, ALIASES, DECLARATIONS, kindOf, MARKS, SIGNS, SKIPPED, SYMBOLS } from './words.ts'

const SECTIONS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']
const TOKEN = /\s+|[^\\{}$&~\s`'-]+|---?|``|''|\$\$|\\(?:[a-zA-Z@]+\*?|[\s\S]?)|[\s\S]/y
/** Blocks within one another, and groups that are open; deeper ones are text. */
const DEEPEST = 30
const MOST_OPEN = 300

/** A group, whose name is empty, or an environment that is open. */
interface Frame {
  name: string
  /** HTML's elements around its text. */
  marks: string
  /** Blocks, and the text of the paragraph that has begun, which those inside of it may share. */
  blocks: string[]
  line: { marks: string; html: string[] }[]
  close?: (frame: Frame) => void
  table?: TexTable
  caption?: string
  /** Of a list, and the term of the item that has begun. */
  items?: string[]
  term?: string | undefined
}

export function readTex(bytes: Uint8Array): Document {
  const reader = new TexReader()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: references stand between them below
  const source = plainText(bytes).replace(/[\u0001\u0002]/g, '')
  const text = expanded(source, name => reader.knows(name), reader.unknown)
  const begin = text.indexOf(BEGIN)
  const head = new Scanner(text.slice(0, Math.max(0, begin)))
  const facts: string[] = []
  while (!head.isAtEnd) {
    const name = head.take(/\\(?:title|author|date|newtheorem\*?)(?![a-zA-Z])/y)?.[0]
    if (!name) head.take(/\\?[^\\]*/y)
    else {
      const given = name.startsWith('\\new') ? `{${head.argument()}}` : ''
      head.option()
      facts.push(`${name}${given}{${head.argument()}}`)
    }
  }
  return reader.document(facts.join('') + text.slice(begin < 0 ? 0 : begin + BEGIN.length))
}

class TexReader {
  readonly unknown = new Set<string>()
  readonly #notes = new Map<string, string>()
  readonly #facts: Facts = {}
  /** What references say, by the places that they name, and the number that the next place gets. */
  readonly #numbers = new Map<string, string>()
  readonly #counts: Record<string, number> = {}
  #number = ''
  #highest = 0
  readonly #theorems = new Map<string, string>()
  #source = new Scanner('')
  readonly #frames: Frame[] = [{ name: '', marks: '', blocks: [], line: [] }]
  #ignored = 0
  #depth = 0

  document(text: string): Document {
    this.#highest = SECTIONS.findIndex((name, at) => at > 1 || text.includes(`\\${name}{`))
    this.#source = new Scanner(text)
    while (!this.#source.isAtEnd) this.#step()
    while (this.#frames.length > 1) this.#close()
    const resolved = (html: string) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the names of references stand between them
      html.replace(/\u0001([^\u0002]*)\u0002/g, (_, name) => this.#numbers.get(name) ?? `[${name}]`)
    const notes = new Map(Array.from(this.#notes, ([name, html]) => [name, resolved(html)]))
    return documentOf(resolved(htmlOf(this.#top)), notes, this.#facts, this.unknown)
  }

  /** Whether what a command or environment means is known, so that a definition of it does not count. */
  knows(written: string): boolean {
    const name = written.replace(/^\\(?:(?:begin|end)\{)?|\}$/g, '')
    const tables = [this.#commands, ALIASES, MARKS, DECLARATIONS, SYMBOLS, ACCENTS, SKIPPED]
    return written.endsWith('}')
      ? kindOf(name) !== undefined
      : SECTIONS.includes(name) || tables.some(table => Object.hasOwn(table, name))
  }

  get #top(): Frame {
    return this.#frames.at(-1)!
  }

  #step(): void {
    const token = this.#source.take(TOKEN)![0]
    const { name, marks, table } = this.#top
    if (token.startsWith('\\')) this.#command(token.slice(1))
    else if (token.trim() === '') {
      if (token.split('\n', 3).length > 2) flush(this.#top)
      else this.#text(' ')
    } else if (token === '{') this.#push('', marks)
    else if (token === '}') {
      if (this.#ignored > 0) this.#ignored--
      else if (name === '' && this.#frames.length > 1) this.#close()
    } else if (token.startsWith('$')) this.#maths(this.#source.formula(token), token === '$$')
    else if (token === '&' && table) this.#endCell(table)
    else this.#text(/\bcode\b/.test(marks) && token !== '~' ? token : (ownValue(SIGNS, token) ?? token))
  }

  #command(written: string): void {
    const source = this.#source
    const name = written.replace(/(?<=.)\*$/, '')
    // Spaces after a word only end it.
    if (/[a-zA-Z*]$/.test(written)) source.take(/[ \t]*(?:\n[ \t]*(?!\s))?/y)
    const own = ownValue(this.#commands, ownValue(ALIASES, name) ?? name)
    const mark = ownValue(MARKS, name)
    const declared = ownValue(DECLARATIONS, name)
    const accent = ownValue(ACCENTS, name)
    const symbol = ownValue(SYMBOLS, name)
    if (own) own(written)
    else if (mark !== undefined) {
      const isGroup = source.take(/\{/y)
      this.#push('', withMark(this.#top.marks, mark))
      if (isGroup) return
      this.#text(source.argument())
      this.#close()
    } else if (declared !== undefined) this.#top.marks = declared && withMark(this.#top.marks, declared)
    else if (accent) {
      const letter = source
        .argument()
        .replace(/^\\(\w+)\s*$/, (_, word) => (/^[ij]$/.test(word) ? word : (ownValue(SYMBOLS, word) ?? '')))
      this.#text((letter.slice(0, 1) + accent + letter.slice(1)).normalize('NFC'))
    } else if (symbol) this.#text(symbol)
    else if (SECTIONS.includes(name)) this.#section(SECTIONS.indexOf(name), !written.endsWith('*'))
    else if (/^[a-zA-Z]*[cC]ite[a-z]*$/.test(name)) {
      while (source.option() !== undefined);
      const keys = source
        .argument()
        .split(',')
        .map(key => this.#referenceTo(key.trim()))
      this.#html(keys.join(', '))
    } else if (Object.hasOwn(SKIPPED, name)) this.#skip(name)
    else if (/^[a-zA-Z@]/.test(name)) {
      this.unknown.add(`\\${name}`)
      source.option()
    } else this.#text(name)
  }

  readonly #commands: Record<string, (written: string) => void> = {
    begin: () => this.#begin(this.#source.argument()),
    end: () => this.#end(this.#source.argument()),
    par: () => flush(this.#top),
    '\\': () => {
      this.#source.take(/\*?(?:[ \t]*\[[^[\]{}]{0,50}\])?/y)
      if (this.#top.table) this.#endCell(this.#top.table).endRow()
      else this.#html('<br>')
    },
    '(': () => this.#maths(this.#source.until('\\)'), false),
    '[': () => this.#maths(this.#source.until('\\]'), true),
    ensuremath: () => this.#maths(this.#source.argument(), false),
    verb: written => {
      if (written.startsWith('mint')) this.#source.argument()
      this.#source.option()
      const sign = this.#source.take(/[^\n]/y)?.[0] ?? '\n'
      this.#html(`<code>${escapeXml(this.#source.until(sign === '{' ? '}' : sign))}</code>`)
    },
    url: () => {
      const to = addressIn(this.#source.argument())
      this.#html(link(to, escapeXml(to)))
    },
    href: () => {
      this.#source.option()
      const to = addressIn(this.#source.argument())
      this.#argument(html => this.#html(link(to, tight(html))))
    },
    hyperref: () => {
      const to = this.#source.option()
      this.#argument(html => this.#html(to ? link(`#${to}`, tight(html)) : tight(html)))
    },
    label: () => this.#place(this.#source.argument()),
    ref: () => this.#html(this.#referenceTo(this.#source.argument())),
    includegraphics: () => {
      const alt = /(?:^|,)\s*alt\s*=\s*\{([^{}]*)\}/.exec(this.#source.option() ?? '')?.[1]
      this.#html(picture(this.#source.argument().trim(), alt))
    },
    input: written => void this.unknown.add(`\\${written}{${this.#source.argument()}}`),
    footnote: () => {
      this.#source.option()
      this.#argument(html => {
        const name = String(this.#notes.size + 1)
        this.#notes.set(name, html)
        this.#html(noteLink(name))
      })
    },
    caption: written => {
      this.#source.option()
      const float = this.#frames.findLast(frame => frame.table ?? kindOf(frame.name) === 'float')
      if (!written.endsWith('*')) this.#count(/tab/.test(float?.name ?? '') ? 'table' : 'figure')
      this.#argument(html => {
        if (float) float.caption = tight(html)
        else this.#block(html)
      })
    },
    item: written => {
      flush(this.#top)
      const list = this.#frames.findLast(frame => frame.items)
      if (!list) return
      while (this.#top !== list) this.#close()
      this.#endItem(list)
      this.#source.take(/<[^>\n]{0,30}>/y)
      const term = this.#source.option()
      if (written !== 'bibitem') {
        if (term) list.term = this.#fragment(term)
        return
      }
      const key = this.#source.argument()
      this.#count('bibitem')
      this.#place(key)
    },
    title: written =>
      this.#argument(html => {
        const text = readWebPage(html).blocks.flatMap(runsOf).map(textOf).join(' ').trim()
        if (/^(?:title|author|date)$/.test(written)) this.#facts[written as keyof Facts] = text
      }),
    and: () => this.#text(', '),
    enquote: () => this.#argument(html => this.#html(`“${tight(html)}”`)),
    frametitle: () => this.#argument(html => this.#block(`<h3>${tight(html)}</h3>`)),
    newtheorem: () => {
      const name = this.#source.argument()
      this.#source.option()
      this.#theorems.set(name, this.#source.argument())
      this.#source.option()
    },
    multicolumn: () => {
      this.#top.table?.span('columns', this.#source.argument())
      this.#source.argument()
    },
    multirow: () => {
      this.#source.option()
      this.#top.table?.span('rows', this.#source.argument())
      this.#source.option()
      this.#source.argument()
    },
    hline: () => this.#top.table?.endHead(),
    endhead: () => this.#top.table?.repeat(),
  }

  #begin(name: string): void {
    const source = this.#source
    const kind = kindOf(name)
    const rest = () => source.until(`\\end{${name}}`)
    const plain = name.replace(/\*$/, '')
    const { marks } = this.#top
    if (kind === 'maths') {
      if (plain === 'alignat') source.argument()
      const [before, after] = ROWS[plain] ?? ['', '']
      this.#maths(before + rest() + after, plain !== 'math')
      return
    }
    flush(this.#top)
    if (kind === 'verbatim') {
      const options = plain === 'verbatim' ? '' : (source.take(/\[[^\]\n]*\]/y)?.[0] ?? '')
      const language =
        plain === 'minted' ? source.argument() : /language=\{?(?:\[[^\]]*\])?(\w+)/.exec(options)?.[1]
      const lines = rest()
        .replace(/^[ \t]*\n|\n[ \t]*$/g, '')
        .split('\n')
      this.#block(pre(lines, language?.toLowerCase()))
    } else if (kind === 'lost') {
      rest()
      this.unknown.add(name)
    } else if (kind === 'table') {
      if (/[xy*]$|xl/.test(name)) source.argument()
      source.option()
      const table = new TexTable(source.argument())
      this.#inside(
        name,
        frame => {
          this.#endCell(table, frame).endRow()
          table.caption = frame.caption ?? ''
          this.#block(String(table))
        },
        { table },
      )
    } else if (kind === 'list') {
      if (name === 'thebibliography') source.argument()
      this.#inside(
        name,
        list => {
          this.#endItem(list)
          const tag = plain === 'description' ? 'dl' : /enum|bib/.test(plain) ? 'ol' : 'ul'
          this.#block(list.items!.length > 0 ? `<${tag}>${list.items!.join('\n')}</${tag}>` : '')
        },
        { items: [] },
      )
      source.option()
    } else if (kind === 'quote')
      this.#inside(name, frame => this.#block(`<blockquote>${htmlOf(frame)}</blockquote>`))
    else if (kind === 'float') {
      this.#skip(plain)
      this.#inside(name, frame => {
        const html = htmlOf(frame)
        const { caption = '' } = frame
        if (html.includes('<table>'))
          this.#block(
            html.replace('<table>', start => `${start}${caption && `<caption>${caption}</caption>`}`),
          )
        else
          this.#block(caption ? `<figure>${tight(html)}<figcaption>${caption}</figcaption></figure>` : html)
      })
    } else {
      this.#push(name, marks)
      const theorem = this.#theorems.get(name)
      if (theorem) {
        this.#count(name)
        const title = source.option()
        this.#html(
          `<strong>${theorem} ${this.#number}</strong>${title ? ` (${this.#fragment(title)})` : ''}. `,
        )
      } else if (name === 'proof') this.#html('<em>Proof.</em> ')
      else {
        if (!kind) this.unknown.add(name)
        this.#skip(name)
      }
    }
  }

  #end(name: string): void {
    if (name === 'document') this.#source.at = this.#source.text.length
    const open = this.#frames.findLastIndex(frame => frame.name === name)
    if (open < 1) return
    while (this.#frames.length > open) {
      flush(this.#top)
      this.#close()
    }
  }

  /** Passes arguments that show nothing. */
  #skip(name: string): void {
    this.#source.option()
    for (let left = ownValue(SKIPPED, name) ?? 0; left > 0; left--) {
      this.#source.argument()
      this.#source.option()
    }
  }

  #section(kind: number, isNumbered: boolean): void {
    flush(this.#top)
    this.#source.option()
    const level = Math.min(6, kind - this.#highest + 1)
    if (isNumbered) {
      for (const lower of SECTIONS.slice(kind + 1)) this.#counts[lower] = 0
      this.#count(SECTIONS[kind]!)
      this.#number = SECTIONS.slice(1, kind + 1)
        .flatMap(name => this.#counts[name] || [])
        .join('.')
    }
    this.#argument(html => {
      const label = this.#source.take(/\s*\\label\s*\{([^{}]*)\}/y)?.[1] ?? ''
      this.#numbers.set(label, this.#number)
      this.#block(`<h${level} id="${escapeXml(label)}">${tight(html)}</h${level}>`)
    })
  }

  #maths(tex: string, display: boolean): void {
    for (const [, name = ''] of tex.matchAll(/\\label\s*\{([^{}]*)\}/g)) this.#html(anchor(name))
    this.#html(equation(tex.replace(/\\(?:label\s*\{[^{}]*\}|nonumber\b|notag\b)/g, '').trim(), display))
  }

  #count(kind: string): void {
    const count = (this.#counts[kind] ?? 0) + 1
    this.#counts[kind] = count
    this.#number = String(count)
  }

  #place(name: string): void {
    this.#numbers.set(name, this.#number)
    this.#html(anchor(name))
  }

  #referenceTo = (name: string): string => link(`#${name}`, `\u0001${escapeXml(name)}\u0002`)

  #endCell(table: TexTable, frame = this.#top): TexTable {
    table.cell(tight(htmlOf(frame)))
    frame.blocks.length = 0
    return table
  }

  #endItem(list: Frame): void {
    const html = htmlOf(list)
    list.blocks.length = 0
    if (list.term !== undefined && list.name === 'description')
      list.items!.push(`<dt>${list.term}</dt><dd>${html}</dd>`)
    else if (html || list.term) list.items!.push(`<li>${list.term ? `${list.term} ` : ''}${tight(html)}</li>`)
    list.term = undefined
  }

  #text(text: string): void {
    this.#html(escapeXml(text))
  }

  /** Adds to the paragraph that has begun. */
  #html(html: string): void {
    const { marks, line } = this.#top
    const last = line.at(-1)
    if (last?.marks === marks) last.html.push(html)
    else line.push({ marks, html: [html] })
  }

  #block(html: string): void {
    flush(this.#top)
    if (html) this.#top.blocks.push(html)
  }

  #push(name: string, marks: string, more: Partial<Frame> = {}): void {
    const { blocks, line } = this.#top
    if (this.#frames.length >= MOST_OPEN) this.#ignored++
    else this.#frames.push({ name, marks, blocks, line, ...more })
  }

  /** Opens a group or an environment whose content goes elsewhere when it ends. */
  #inside(name: string, close: (frame: Frame) => void, more: Partial<Frame> = {}): void {
    if (this.#depth >= DEEPEST) {
      this.#push(name, this.#top.marks)
      return
    }
    this.#depth++
    const end = (frame: Frame) => {
      this.#depth--
      close(frame)
    }
    this.#push(name, '', { blocks: [], line: [], close: end, ...more })
  }

  #close(): void {
    const frame = this.#frames.pop()!
    frame.close?.(frame)
  }

  /** Reads the argument that comes next, and uses its HTML when it ends. */
  #argument(use: (html: string) => void): void {
    if (this.#source.take(/\s*\{/y)) this.#inside('', frame => use(htmlOf(frame)))
    else use(escapeXml(this.#source.argument()))
  }

  /** The HTML of a short text within a line. */
  #fragment(text: string): string {
    const outer = this.#source
    const open = this.#frames.length
    let html = ''
    this.#source = new Scanner(text)
    this.#inside('', frame => {
      html = tight(htmlOf(frame))
    })
    while (!this.#source.isAtEnd) this.#step()
    while (this.#frames.length > open) this.#close()
    this.#source = outer
    return html
  }
}

/** Environments of formulas that have rows, as they are written within one. */
const ROWS: Record<string, [string, string]> = {
  ...Object.fromEntries(
    ['align', 'alignat', 'flalign', 'split'].map(name => [name, ['\\begin{aligned}', '\\end{aligned}']]),
  ),
  ...Object.fromEntries(['gather', 'multline'].map(name => [name, ['\\begin{gathered}', '\\end{gathered}']])),
  eqnarray: ['\\begin{array}{rcl}', '\\end{array}'],
}

const withMark = (marks: string, mark: string) =>
  mark === '' || marks.split(' ').includes(mark) ? marks : `${marks} ${mark}`.trim()

const anchor = (name: string) => `<a id="${escapeXml(name)}"></a>`

const addressIn = (written: string) => written.trim().replace(/\\([#%&_~{}$])/g, '$1')

/** Ends the paragraph that has begun. */
function flush({ blocks, line }: Frame): void {
  const html = line.map(run => {
    const tags = run.marks === '' ? [] : run.marks.split(' ')
    const open = tags.map(tag => (tag === 'span' ? '<span style="font-variant: small-caps">' : `<${tag}>`))
    return (
      open.join('') +
      run.html.join('') +
      tags
        .toReversed()
        .map(tag => `</${tag}>`)
        .join('')
    )
  })
  const text = html.join('').trim()
  line.length = 0
  if (text !== '') blocks.push(/^(?:<a id="[^"]*"><\/a>\s*)+$/.test(text) ? text : `<p>${text}</p>`)
}

function htmlOf(frame: Frame): string {
  flush(frame)
  return frame.blocks.join('\n')
}
