/** Reads reStructuredText by way of the HTML that it stands for: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html */
import { escapeXml } from '../../../common/xml/characters.ts'
import type { Document } from '../../model.ts'
import { captioned, dedented, documentOf, equation, type Facts, indentOf, pre, tight } from '../by-html.ts'
import { plainText } from '../decode.ts'
import { BULLET, gridTable, listed, rowsOf, simpleTable, trimmed, valuesOf } from './tables.ts'
import { DEEPEST, FIELD, optionsIn, placeOf, RstText } from './text.ts'

const NUMBER = /^\(?(\d+|#|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+)[.)](?:\s+|$)/
/** What the first number of a list says of all of them. */
const NUMBERINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\d+|#)$/, ''],
  [/^(?:[ivxlcdm]{2,}|i)$/, ' type="i"'],
  [/^[a-z]/, ' type="a"'],
  [/^(?:[IVXLCDM]{2,}|I)$/, ' type="I"'],
  [/^/, ' type="A"'],
]
const OPTION =
  /^((?:-\w|--?[\w-]{2,}|\/\w+)(?:[ =](?:<[^>]+>|[A-Za-z][\w-]*))?(?:, (?:-\w|--[\w-]+)(?:[ =](?:<[^>]+>|\w[\w-]*))?)*)(?: {2,}|$)/
const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/
const EXPLICIT = /^\.\.(?:\s+|$)/
const TABLE = /^\+-[-+]*\+\s*$|^=+(?: +=+)+\s*$/
const ADMONITION = /^(?:attention|caution|danger|error|hint|important|note|tip|warning|seealso|admonition)$/
/** Directives whose content is code, or text that has no marks. */
const CODE =
  /^(?:code|code-block|sourcecode|literal|parsed-literal|doctest|testcode|testoutput|productionlist|prompt)$/
const QUOTE = /^(?:epigraph|highlights|pull-quote)$/
const TITLED = /^(?:rubric|centered|topic|sidebar)$/
/** Directives whose content is text as any other. */
const GROUP = /^(?:container|class|compound|only|glossary|header|footer)$/
/** Directives that leave nothing to read. */
const EMPTY =
  /^(?:contents|sectnum|meta|toctree|index|highlight|default-role|role|title|target-notes|(?:current)?module|tabularcolumns|date|program|testsetup|(?:section|module|code)author)$/
/** What Sphinx describes by its signature: https://www.sphinx-doc.org/en/master/usage/domains/ */
const OBJECT =
  /^(?:\w+:)?(?:function|class|method|attribute|data|exception|classmethod|staticmethod|decorator|property|describe|object|(?:cmd)?option|envvar|macro|type|member|var|struct|enum|enumerator|opcode|confval|setting)$/
const KEYWORDS: Record<string, string> = {
  versionadded: 'Added in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
}
/** @throws JobFailure corrupt_input */
export function readRst(bytes: Uint8Array): Document {
  const lines = plainText(bytes).replaceAll('\t', '        ').split('\n')
  const reader = new RstReader(lines)
  const body = reader.blocks(lines)
  return documentOf(body, reader.notes, reader.facts, reader.unknown)
}

class RstReader extends RstText {
  readonly notes = new Map<string, string>()
  readonly facts: Facts = {}
  readonly unknown = new Set<string>()
  /** Adornments of titles, by their levels. */
  readonly #levels: string[] = []
  #numbered = 0

  /** The HTML of lines. */
  blocks(lines: readonly string[]): string {
    if (this.depth > DEEPEST) return pre(lines)
    this.depth++
    const out: string[] = []
    let at = 0
    /** This line, and those after it up to one that is not wanted, without empty ones at the end. */
    const take = (isWanted: (line: string) => boolean) => {
      const from = at++
      while (at < lines.length && isWanted(lines[at]!)) at++
      const taken = lines.slice(from, at)
      while (taken.at(-1)?.trim() === '') taken.pop()
      return taken
    }
    const isInside = (line: string) => line.trim() === '' || indentOf(line) > 0
    const isBlank = (index: number) => (lines[index] ?? '').trim() === ''
    /** A list of what begins so, with what belongs to each. */
    const items = (begin: RegExp, isAll = (_line: string) => true) => {
      const found: string[][] = []
      while (begin.test(lines[at] ?? '') && isAll(lines[at]!)) {
        found.push(take(isInside))
        const from = at
        while (isBlank(at) && at < lines.length) at++
        if (!begin.test(lines[at] ?? '')) {
          at = from
          break
        }
      }
      return found
    }
    while (at < lines.length) {
      const line = lines[at]!
      const next = lines[at + 1] ?? ''
      const adorned = ADORNMENT.exec(line)
      if (line.trim() === '') at++
      else if (indentOf(line) > 0)
        out.push(`<blockquote>${this.blocks(dedented(take(isInside)))}</blockquote>`)
      else if (EXPLICIT.test(line)) {
        const [head = '', ...rest] = take(isInside)
        out.push(this.#explicit(head.replace(EXPLICIT, ''), dedented(rest)))
      } else if (/^__ /.test(line)) at++
      else if (TABLE.test(line)) {
        const isGrid = line.startsWith('+')
        let borders = 0
        const table = take(row => {
          if (isGrid) return /^[+|]/.test(row)
          if (borders === -1) return false
          if (/^=+(?: +=+)*\s*$/.test(row))
            borders = ++borders === 2 || isBlank(lines.indexOf(row, at) + 1) ? -1 : borders
          return true
        })
        out.push((isGrid ? gridTable : simpleTable)(table, text => tight(this.blocks(text))))
      } else if (adorned && !isBlank(at + 1) && ADORNMENT.exec(lines[at + 2] ?? '')?.[1] === adorned[1]) {
        out.push(this.#title(next, `${adorned[1]}${adorned[1]}`))
        at += 3
      } else if (adorned && line.trim().length >= 4 && isBlank(at + 1)) {
        at++
        out.push('<hr>')
      } else if (
        ADORNMENT.test(next) &&
        next.trim().length >= Math.min(4, line.trim().length) &&
        !TABLE.test(next)
      ) {
        out.push(this.#title(line, next[0]!))
        at += 2
      } else if (BULLET.test(line)) {
        const found = items(BULLET, row => row.startsWith(line[0]!))
        out.push(this.#list('ul', found, BULLET))
      } else if (isNumbered(line, next)) {
        const [, number = ''] = NUMBER.exec(line)!
        const [, type] = NUMBERINGS.find(([pattern]) => pattern.test(number))!
        const start = /^\d+$/.test(number) && number !== '1' ? ` start="${number}"` : ''
        out.push(this.#list(`ol${type}${start}`, items(NUMBER), NUMBER))
      } else if (FIELD.test(line)) out.push(this.#fields(items(FIELD), out.length))
      else if (OPTION.test(line) && (OPTION.exec(line)![0].length < line.length || indentOf(next) > 0))
        out.push(`<dl>${items(OPTION).map(this.#option).join('')}</dl>`)
      else if (/^\|(?:\s|$)/.test(line)) {
        const text = take(row => /^\|(?:\s|$)/.test(row) || (indentOf(row) > 0 && row.trim() !== ''))
        const rows = text
          .join('\n')
          .replace(/\n(?!\|)\s*/g, ' ')
          .split('\n')
        out.push(`<p>${rows.map(row => this.inline(row.slice(1).trim())).join('<br>')}</p>`)
      } else if (line.startsWith('>>> '))
        out.push(
          pre(
            take(row => row.trim() !== ''),
            'python',
          ),
        )
      else if (indentOf(next) > 0 && next.trim() !== '') {
        const found: string[] = []
        do {
          const [term = '', ...rest] = take(isInside)
          const [name = '', ...classes] = term.split(/ +: +/)
          const classifiers = classes.map(each => ` <em>${this.inline(each)}</em>`).join('')
          found.push(`<dt>${this.inline(name)}${classifiers}</dt><dd>${this.blocks(dedented(rest))}</dd>`)
        } while (
          indentOf(lines[at] ?? '') === 0 &&
          !isBlank(at) &&
          indentOf(lines[at + 1] ?? '') > 0 &&
          !isBlank(at + 1) &&
          !EXPLICIT.test(lines[at]!) &&
          !BULLET.test(lines[at]!) &&
          !isNumbered(lines[at]!, '')
        )
        out.push(`<dl>${found.join('\n')}</dl>`)
      } else {
        let text = take(row => row.trim() !== '' && indentOf(row) === 0)
          .join('\n')
          .trimEnd()
        const isBefore = /::$/.test(text)
        if (isBefore) text = text.replace(/(^|\s)::$/, '').replace(/::$/, ':')
        if (text !== '') out.push(`<p>${this.inline(text)}</p>`)
        while (isBefore && isBlank(at) && at < lines.length) at++
        const quote = /^[!-/:-@[-`{-~]/.exec(lines[at] ?? '')?.[0]
        if (isBefore && indentOf(lines[at] ?? '') > 0) out.push(pre(dedented(take(isInside))))
        else if (isBefore && quote) out.push(pre(take(row => row.startsWith(quote))))
      }
    }
    this.depth--
    return out.join('\n')
  }

  #title(text: string, adornment: string): string {
    if (!this.#levels.includes(adornment)) this.#levels.push(adornment)
    const level = Math.min(6, this.#levels.indexOf(adornment) + 1)
    return `<h${level} id="${escapeXml(placeOf(text))}">${this.inline(text.trim())}</h${level}>`
  }

  /** @param open the element of the list, with its attributes */
  #list(open: string, items: readonly string[][], mark: RegExp): string {
    return `<${open}>${items.map(item => this.#item(item, mark)).join('\n')}</${open.slice(0, 2)}>`
  }

  readonly #option = ([head = '', ...rest]: readonly string[]): string => {
    const [whole, names = ''] = OPTION.exec(head)!
    const text = this.blocks([head.slice(whole.length), ...dedented(rest)])
    return `<dt><code>${escapeXml(names)}</code></dt><dd>${text}</dd>`
  }

  #item([head = '', ...rest]: readonly string[], mark: RegExp): string {
    const width = mark.exec(head)![0].length
    const inside = rest.map(line => line.slice(Math.min(width, indentOf(line))))
    return `<li>${tight(this.blocks([head.slice(width), ...inside]))}</li>`
  }

  /** Fields; those at the beginning of the text say something of it. */
  #fields(fields: readonly string[][], before: number): string {
    const read = fields.map(([head = '', ...rest]) => {
      const [whole, name = ''] = FIELD.exec(head)!
      return { name, lines: [head.slice(whole.length), ...dedented(rest)] }
    })
    const isOfText = before <= 1 && this.depth === 1
    const shown = read.filter(({ name, lines }) => {
      const key = name.toLowerCase()
      if (!isOfText || !/^(?:author|date|language)$/.test(key)) return !isOfText || key !== 'orphan'
      this.facts[key as keyof Facts] = lines.join(' ').trim()
      return false
    })
    const html = shown.map(({ name, lines }) => `<dt>${this.inline(name)}</dt><dd>${this.blocks(lines)}</dd>`)
    return html.length > 0 ? `<dl>${html.join('')}</dl>` : ''
  }

  #explicit(head: string, lines: readonly string[]): string {
    const [, anchor] = /^_(`[^`]+`|[^:`_](?:[^:\\]|\\.|:(?=\S))*):\s*$/.exec(head) ?? []
    if (anchor && lines.length === 0)
      return `<a id="${escapeXml(placeOf(anchor.replace(/^`|`$/g, '')))}"></a>`
    const [, label, text = ''] = /^\[(#?[\w.:-]*|\*)\]\s*(.*)$/.exec(head) ?? []
    if (label !== undefined) {
      this.notes.set(
        /^[#*]$/.test(label) ? `${label}${++this.#numbered}` : label,
        this.blocks([text, ...lines]),
      )
      return ''
    }
    const [, name, argument = ''] = /^([A-Za-z][\w:.+-]*?)\s?::(?:\s+(.*))?$/.exec(head) ?? []
    return name ? this.#directive(name, argument, lines) : ''
  }

  #directive(written: string, argument: string, lines: readonly string[]): string {
    const name = written.toLowerCase()
    const end = lines.findIndex(
      (line, at) => !FIELD.test(line) && (line.trim() === '' || at === 0 || indentOf(line) === 0),
    )
    const hasOptions = FIELD.test(lines[0] ?? '')
    const options = optionsIn(hasOptions ? lines.slice(0, end < 0 ? undefined : end) : [])
    const content = dedented(hasOptions ? (end < 0 ? [] : lines.slice(end)) : lines)
    const whole = [argument, ...content]
    const inner = () => this.blocks(content)
    if (EMPTY.test(name)) return ''
    if (ADMONITION.test(name)) {
      const heading =
        name === 'admonition'
          ? argument
          : name === 'seealso'
            ? 'See also'
            : name[0]!.toUpperCase() + name.slice(1)
      return `<blockquote class="markdown-alert-${name}"><p><strong>${this.inline(heading)}</strong></p>${name === 'admonition' ? inner() : this.blocks(whole)}</blockquote>`
    }
    if (CODE.test(name))
      return pre(trimmed(name.startsWith('p') ? whole : content), /^\w*code/.test(name) ? argument : '')
    if (QUOTE.test(name)) return `<blockquote>${this.blocks(whole)}</blockquote>`
    if (TITLED.test(name)) return (argument && `<p><strong>${this.inline(argument)}</strong></p>`) + inner()
    if (name === 'raw' && argument === 'html') return content.join('\n')
    if (name === 'math')
      return trimmed(whole)
        .join('\n')
        .split(/\n{2,}/)
        .map(tex => `<p>${equation(tex, true)}</p>`)
        .join('')
    if (name === 'image' || name === 'figure') {
      const linked = this.image(argument, options)
      return name === 'figure' && content.length > 0
        ? `<figure>${linked}<figcaption>${tight(inner())}</figcaption></figure>`
        : `<p>${linked}</p>`
    }
    if (/^(?:csv-|list-)?table$/.test(name)) {
      const heads = Number(options['header-rows'] ?? 0) + (options.header ? 1 : 0)
      const table =
        name === 'table'
          ? inner()
          : rowsOf(name === 'csv-table' ? valuesOf(content, options.header) : listed(content), heads, cell =>
              tight(this.blocks(cell)),
            )
      return captioned(table, argument && this.inline(argument))
    }
    const version = KEYWORDS[name]
    if (version) return this.blocks([`*${version} ${argument.replace(/\s|$/, '*$&')}`, ...content])
    if (OBJECT.test(name)) return `<dl><dt><code>${escapeXml(argument)}</code></dt><dd>${inner()}</dd></dl>`
    if (!GROUP.test(name)) this.unknown.add(`${written}::`)
    return (GROUP.test(name) ? '' : argument && `<p>${this.inline(argument)}</p>`) + inner()
  }
}

const isNumbered = (line: string, next: string) =>
  NUMBER.test(line) && (next.trim() === '' || indentOf(next) > 0 || NUMBER.test(next))
