/** Reads Org by way of the HTML that it stands for: https://orgmode.org/worg/org-syntax.html */
import { escapeXml } from '../../common/xml/characters.ts'
import type { Document } from '../model.ts'
import {
  anchor,
  dedented,
  documentOf,
  equation,
  type Facts,
  indentOf,
  link,
  noteLink,
  type PartWriters,
  picture,
  pre,
  table,
  tight,
  writtenLine,
} from './by-html.ts'
import { plainText } from './decode.ts'

const ITEM = /^(\s*)(?:([-+])|(\d+)[.)]|\s(\*))(?:\s+|$)(?:\[@\d+\]\s*)?(?:(\[[ X-]\])\s+)?/
const BLOCK = /^\s*#\+begin_(\S+)\s*(.*)$/i
const HEADING = /^(\*+)\s+(.*)$/
const DRAWER = /^\s*:[\w-]+:\s*$/
const KEYWORD = /^\s*#\+(\w+)(?:\[.*?\])?:\s*(.*)$/
const NOTE = /^\[fn:([^\]\s:]+)\]\s*/
const PLANNED = /^\s*(?:CLOSED|DEADLINE|SCHEDULED|CLOCK):/
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp)$/i
/** Levels of lists and blocks within one another; deeper ones are text. */
const DEEPEST = 40

export function readOrg(bytes: Uint8Array): Document {
  const reader = new OrgReader()
  const body = reader.blocks(plainText(bytes).split('\n'))
  return documentOf(body, reader.notes, reader.facts, reader.unknown)
}

class OrgReader {
  readonly notes = new Map<string, string>()
  readonly facts: Facts = {}
  readonly unknown = new Set<string>()
  #depth = 0

  /** The HTML of lines. */
  blocks(lines: readonly string[]): string {
    if (this.#depth > DEEPEST) return `<pre>${escapeXml(lines.join('\n'))}</pre>`
    this.#depth++
    const out: string[] = []
    let at = 0
    /** Of the table or picture that comes next. */
    let caption = ''
    /** This line, and those after it up to one that is not wanted. */
    const take = (isWanted: (line: string, before: string) => boolean) => {
      const from = at++
      while (at < lines.length && isWanted(lines[at]!, lines[at - 1]!)) at++
      return lines.slice(from, at)
    }
    const until = (end: RegExp) => {
      const last = lines.findIndex((line, index) => index > at && end.test(line))
      const inner = last < 0 ? undefined : lines.slice(at + 1, last)
      if (inner) at = last + 1
      return inner
    }
    while (at < lines.length) {
      const line = lines[at]!
      const heading = HEADING.exec(line)
      const block = BLOCK.exec(line)
      const inner = block
        ? until(new RegExp(`^\\s*#\\+end_${block[1]!.replace(/\W/g, '\\$&')}\\s*$`, 'i'))
        : DRAWER.test(line)
          ? until(/^\s*:end:\s*$/i)
          : undefined
      if (inner) {
        if (block) out.push(this.#block(block[1]!.toLowerCase(), block[2]!, inner))
      } else if (heading) {
        at++
        const level = Math.min(6, heading[1]!.length)
        out.push(`<h${level}>${this.inline(heading[2]!)}</h${level}>`)
      } else if (KEYWORD.test(line)) {
        at++
        const [, key = '', value = ''] = KEYWORD.exec(line) ?? []
        if (/^(?:title|author|language|date)$/i.test(key))
          this.facts[key.toLowerCase() as keyof Facts] = value
        if (/^caption$/i.test(key)) caption = this.inline(value)
        if (/^include$/i.test(key)) this.unknown.add(line.trim())
      } else if (/^\s*#(?:\s|$)/.test(line) || PLANNED.test(line) || line.trim() === '') at++
      else if (/^\s*-{5,}\s*$/.test(line)) {
        at++
        out.push('<hr>')
      } else if (/^\s*\|/.test(line)) {
        out.push(
          this.#table(
            take(row => /^\s*\|/.test(row)),
            caption,
          ),
        )
        caption = ''
      } else if (/^\s*:(?:\s|$)/.test(line))
        out.push(pre(take(row => /^\s*:(?:\s|$)/.test(row)).map(row => row.replace(/^\s*: ?/, ''))))
      else if (NOTE.test(line)) {
        const name = NOTE.exec(line)![1]!
        const text = take(row => !NOTE.test(row) && !HEADING.test(row) && row !== '')
        this.notes.set(name, this.blocks([text[0]!.replace(NOTE, ''), ...text.slice(1)]))
      } else if (ITEM.test(line)) {
        const isInside = (row: string) =>
          row.trim() === '' ||
          indentOf(row) > indentOf(line) ||
          (indentOf(row) === indentOf(line) && ITEM.test(row) && isOrdered(row) === isOrdered(line))
        out.push(this.#list(take(isInside)))
      } else if (/^\s*\\begin\{(\w+\*?)\}/.test(line)) {
        const text = take((_, before) => !/\\end\{/.test(before))
        out.push(`<p>${equation(text.join('\n'), true)}</p>`)
      } else {
        const text = take(row => !startsBlock(row))
        const inner = this.inline(text.map(row => row.trim()).join('\n'))
        const isFigure = caption !== '' && /^<img [^>]*>$/.test(inner)
        out.push(
          isFigure ? `<figure>${inner}<figcaption>${caption}</figcaption></figure>` : `<p>${inner}</p>`,
        )
        caption = ''
      }
    }
    this.#depth--
    return out.join('\n')
  }

  #block(kind: string, parameters: string, lines: readonly string[]): string {
    // Lines that would mean something else are written with a comma.
    const own = dedented(lines).map(line => line.replace(/^(\s*),(?=\*|#\+|,)/, '$1'))
    if (kind === 'src') return pre(own, /^[^\s:]+/.exec(parameters)?.[0])
    if (kind === 'example') return pre(own)
    if (kind === 'export') this.unknown.add(`#+begin_export ${parameters}`)
    if (kind === 'comment' || kind === 'export') return ''
    if (kind === 'verse') return `<p>${own.map(line => this.inline(line)).join('<br>')}</p>`
    const inner = this.blocks(lines)
    return kind === 'quote' ? `<blockquote>${inner}</blockquote>` : inner
  }

  #list(lines: readonly string[]): string {
    const indent = indentOf(lines[0]!)
    const items: string[][] = []
    for (const line of lines)
      if (indentOf(line) === indent && ITEM.test(line)) items.push([line])
      else items.at(-1)?.push(line)
    const hasNumbers = isOrdered(lines[0]!)
    const isDefined = !hasNumbers && /\s::(?:\s|$)/.test(lines[0]!)
    const written = items.map(([head = '', ...rest]) => {
      const box = ITEM.exec(head)![5]
      const mark = box ? `${{ '[X]': '☒', '[ ]': '☐' }[box] ?? '☐'} ` : ''
      const text = mark + head.replace(ITEM, '')
      const [, term, definition = text] = (isDefined && /^(.*?)\s::(?:\s+(.*))?$/.exec(text)) || []
      const body = this.blocks([definition, ...dedented(rest)])
      return isDefined ? `<dt>${this.inline(term ?? '')}</dt><dd>${body}</dd>` : `<li>${tight(body)}</li>`
    })
    const tag = hasNumbers ? 'ol' : isDefined ? 'dl' : 'ul'
    return `<${tag}>${written.join('\n')}</${tag}>`
  }

  #table(lines: readonly string[], caption: string): string {
    const isRule = (line: string) => /^\s*\|-/.test(line)
    const rule = lines.findIndex(isRule)
    const hasHead = rule > 0 && lines.slice(rule).some(line => !isRule(line))
    const isShown = (line: string) => !isRule(line) && !/^\s*\|(?:\s*<[lcr]?\d*>\s*\|)+\s*$/.test(line)
    const rows = lines.filter(isShown).map(line => {
      const cells = line.trim().replace(/^\||\|$/g, '')
      return cells.split('|').map(cell => ({ html: this.inline(cell.trim()) }))
    })
    return table(rows, hasHead ? lines.slice(0, rule).filter(isShown).length : 0, caption)
  }

  /** The HTML of text within a paragraph. */
  inline(text: string): string {
    if (++this.#depth > DEEPEST) {
      this.#depth--
      return escapeXml(text)
    }
    const written = writtenLine(text, INLINE, this.#parts)
    this.#depth--
    return written
  }

  readonly #parts: PartWriters = {
    address: (address, _, { words }) => this.#link(address.replace(/^file:/, ''), words),
    note: (written, _, { inner }) => {
      const name = written || `inline-${this.notes.size + 1}`
      if (inner !== undefined) this.notes.set(name, `<p>${this.inline(inner)}</p>`)
      return noteLink(name)
    },
    code: text => `<code>${escapeXml(text.slice(1, -1))}</code>`,
    marked: (text, _, { sign = '' }) => {
      const tag = { '*': 'strong', '/': 'em', _: 'u', '+': 's' }[sign]
      return `<${tag}>${this.inline(text)}</${tag}>`
    },
    tex: tex =>
      equation(tex.replace(/^(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])$/g, ''), /^(?:\$\$|\\\[)/.test(tex)),
    url: url => link(url, escapeXml(url)),
    script: (text, _, { raised }) => {
      const tag = raised === '^' ? 'sup' : 'sub'
      return `<${tag}>${this.inline(text)}</${tag}>`
    },
    end: () => '<br>',
    place: anchor,
  }

  #link(address: string, words: string | undefined): string {
    if (words === undefined)
      return PICTURE.test(address) ? picture(address) : link(address, escapeXml(address))
    return link(address, PICTURE.test(words) ? picture(words) : this.inline(words))
  }
}

/** Marks stand beside spaces or punctuation, and hold no space at their ends. */
const BEFORE = String.raw`(?<=^|[\s\-({'"*/_+])`
const AFTER = String.raw`(?=$|[\s\-.,:!?;'")}\[\]*/_+\\])`
const INLINE = new RegExp(
  [
    String.raw`\[\[(?<address>[^\[\]\n]+)\](?:\[(?<words>[^\[\]]+)\])?\]`,
    String.raw`\[fn:(?<note>[^\]:\s]*)(?::(?<inner>[^\[\]]+))?\]`,
    String.raw`${BEFORE}(?<code>(?<fence>[=~])(?=\S)[^\n]*?(?<=\S)\k<fence>)${AFTER}`,
    String.raw`${BEFORE}(?<sign>[*/_+])(?=\S)(?<marked>(?:(?!\n\n).){1,2000}?)(?<=\S)\k<sign>${AFTER}`,
    String.raw`(?<tex>\$\$[^$]+\$\$|\\\([^\n]*?\\\)|\\\[[^\n]*?\\\]|(?<![\w$])\$(?=\S)[^$\n]{1,200}(?<=\S)\$(?![\w$]))`,
    String.raw`(?<url>https?:\/\/[^\s<>\])"']*[\w/])`,
    String.raw`(?<=\w)(?<raised>[\^_])\{(?<script>[^{}]*)\}`,
    String.raw`(?<end>\\\\)(?=\s*$)|<<(?<place>[^<>\n]+)>>`,
    String.raw`[^\[=~*/_+$\\<h^]+`,
    String.raw`[\s\S]`,
  ].join('|'),
  'gms',
)

const startsBlock = (line: string) =>
  line.trim() === '' ||
  [HEADING, ITEM, BLOCK, KEYWORD, DRAWER, NOTE, /^\s*\||^\s*:(?:\s|$)|^\s*-{5,}\s*$|^\s*#(?:\s|$)/].some(
    each => each.test(line),
  )

const isOrdered = (item: string) => ITEM.exec(item)?.[3] !== undefined
