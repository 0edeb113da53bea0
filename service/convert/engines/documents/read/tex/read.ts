/** Reads LaTeX by way of the HTML that it stands for; none of its programs runs: https://latexref.xyz/ */
import { ownValue } from '../../../common/own-value.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import { type Document, runsOf, plainText as textOf } from '../../model.ts'
import { anchor, documentOf, type Facts, link, noteLink, picture, tight } from '../by-html.ts'
import { plainText } from '../decode.ts'
import { readWebPage } from '../html/page.ts'
import { TexEnvironments } from './environments.ts'
import { BEGIN, expanded, factsIn } from './expand.ts'
import { SECTIONS } from './numbers.ts'
import { flush, htmlOf } from './output.ts'
import { Scanner } from './scanner.ts'
import { ACCENTS, ALIASES, DECLARATIONS, kindOf, MARKS, SIGNS, SKIPPED, SYMBOLS } from './words.ts'

const TOKEN = /\s+|[^\\{}$&~\s`'-]+|---?|``|''|\$\$|\\(?:[a-zA-Z@]+\*?|[\s\S]?)|[\s\S]/y
export function readTex(bytes: Uint8Array): Document {
  const reader = new TexReader()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: references stand between them below
  const source = plainText(bytes).replace(/[\u0001\u0002]/g, '')
  const text = expanded(source, name => reader.knows(name), reader.unknown)
  const begin = text.indexOf(BEGIN)
  return reader.document(
    factsIn(text.slice(0, Math.max(0, begin))) + text.slice(begin < 0 ? 0 : begin + BEGIN.length),
  )
}

class TexReader extends TexEnvironments {
  readonly #notes = new Map<string, string>()
  readonly #facts: Facts = {}
  #highest = 0

  document(text: string): Document {
    this.#highest = SECTIONS.findIndex((name, at) => at > 1 || text.includes(`\\${name}{`))
    this.source = new Scanner(text)
    while (!this.source.isAtEnd) this.step()
    while (this.frames.length > 1) this.close()
    const { resolved } = this.numbers
    const notes = new Map(Array.from(this.#notes, ([name, html]) => [name, resolved(html)]))
    return documentOf(resolved(htmlOf(this.top)), notes, this.#facts, this.unknown)
  }

  /** Whether what a command or environment means is known, so that a definition of it does not count. */
  knows(written: string): boolean {
    const name = written.replace(/^\\(?:(?:begin|end)\{)?|\}$/g, '')
    const tables = [this.#commands, ALIASES, MARKS, DECLARATIONS, SYMBOLS, ACCENTS, SKIPPED]
    return written.endsWith('}')
      ? kindOf(name) !== undefined
      : SECTIONS.includes(name) || tables.some(table => Object.hasOwn(table, name))
  }

  protected step(): void {
    const token = this.source.take(TOKEN)![0]
    const { marks, table } = this.top
    if (token.startsWith('\\')) this.#command(token.slice(1))
    else if (token.trim() === '') {
      if (token.split('\n', 3).length > 2) flush(this.top)
      else this.text(' ')
    } else if (token === '{') this.open('', marks)
    else if (token === '}') this.closeGroup()
    else if (token.startsWith('$')) this.formula(this.source.formula(token), token === '$$')
    else if (token === '&' && table) this.endCell(table)
    else this.text(/\bcode\b/.test(marks) && token !== '~' ? token : (ownValue(SIGNS, token) ?? token))
  }

  #command(written: string): void {
    const source = this.source
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
      while (source.option() !== undefined);
      const isGroup = source.take(/\{/y)
      this.open('', withMark(this.top.marks, mark))
      if (isGroup) return
      this.text(source.argument())
      this.close()
    } else if (declared !== undefined) this.top.marks = declared && withMark(this.top.marks, declared)
    else if (name === '=' && this.frames.some(frame => frame.name === 'tabbing')) this.text(' ')
    else if (accent) {
      const letter = source
        .argument()
        .replace(/^\\(\w+)\s*$/, (_, word) => (/^[ij]$/.test(word) ? word : (ownValue(SYMBOLS, word) ?? '')))
      // Above nothing, the mark is meant itself.
      this.text(
        letter ? (letter.slice(0, 1) + accent + letter.slice(1)).normalize('NFC') : name.replace(/\w/, ''),
      )
    } else if (symbol) this.text(symbol)
    else if (SECTIONS.includes(name)) this.#section(SECTIONS.indexOf(name), !written.endsWith('*'))
    else if (/^[a-zA-Z]*[cC]ite[a-z]*$/.test(name)) {
      while (source.option() !== undefined);
      const keys = source.argument().split(',')
      this.html(keys.map(key => this.numbers.referenceTo(key.trim())).join(', '))
    } else if (Object.hasOwn(SKIPPED, name)) this.skip(name)
    else if (/index$/.test(name)) source.argument()
    else if (/^[a-zA-Z@]/.test(name) && !source.take(LENGTH)) {
      this.unknown.add(`\\${name}`)
      source.option()
    } else if (!/^[a-zA-Z@]/.test(name)) this.text(name)
  }

  readonly #commands: Record<string, (written: string) => void> = {
    begin: () => this.begin(this.source.argument()),
    end: () => this.end(this.source.argument()),
    par: () => flush(this.top),
    '\\': () => {
      this.source.take(/\*?(?:[ \t]*\[[^[\]{}]{0,50}\])?/y)
      if (this.top.table) this.endCell(this.top.table).endRow()
      else this.html('<br>')
    },
    '(': () => this.formula(this.source.until('\\)'), false),
    '[': () => this.formula(this.source.until('\\]'), true),
    ensuremath: () => this.formula(this.source.argument(), false),
    verb: written => {
      if (written.startsWith('mint')) this.source.argument()
      this.source.option()
      const sign = this.source.take(/[^\n]/y)?.[0] ?? '\n'
      this.html(`<code>${escapeXml(this.source.until(sign === '{' ? '}' : sign))}</code>`)
    },
    url: () => {
      const to = addressIn(this.source.argument())
      this.html(link(to, escapeXml(to)))
    },
    href: () => {
      this.source.option()
      const to = addressIn(this.source.argument())
      this.argument(html => this.html(link(to, tight(html))))
    },
    // LaTeX2HTML's links, whose text comes first.
    htmladdnormallink: written =>
      this.argument(html => {
        const to = addressIn(this.source.argument())
        this.html(link(written.startsWith('htmlref') ? `#${to}` : to, tight(html)))
      }),
    hyperref: () => {
      const to = this.source.option()
      this.argument(html => this.html(to ? link(`#${to}`, tight(html)) : tight(html)))
    },
    label: () => this.#place(this.source.argument()),
    ref: () => this.html(this.numbers.referenceTo(this.source.argument())),
    includegraphics: () => {
      const alt = /(?:^|,)\s*alt\s*=\s*\{([^{}]*)\}/.exec(this.source.option() ?? '')?.[1]
      this.html(picture(this.source.argument().trim(), alt))
    },
    input: written => void this.unknown.add(`\\${written}{${this.source.argument()}}`),
    footnote: () => {
      this.source.option()
      this.argument(html => {
        const name = String(this.#notes.size + 1)
        this.#notes.set(name, html)
        this.html(noteLink(name))
      })
    },
    caption: written => {
      this.source.option()
      const float = this.frames.findLast(frame => frame.table ?? kindOf(frame.name) === 'float')
      if (!written.endsWith('*')) this.numbers.count(/tab/.test(float?.name ?? '') ? 'table' : 'figure')
      this.argument(html => {
        if (float) float.caption = tight(html)
        else this.block(html)
      })
    },
    item: written => {
      flush(this.top)
      const list = this.frames.findLast(frame => frame.items)
      if (!list) return
      while (this.top !== list) this.close()
      this.endItem(list)
      this.source.take(/<[^>\n]{0,30}>/y)
      const term = this.source.option()
      if (written !== 'bibitem') {
        if (term) list.term = this.fragment(term)
        return
      }
      const key = this.source.argument()
      this.numbers.count('bibitem')
      this.#place(key)
    },
    title: written =>
      this.argument(html => {
        const text = readWebPage(html).blocks.flatMap(runsOf).map(textOf).join(' ').trim()
        if (/^(?:title|author|date)$/.test(written)) this.#facts[written as keyof Facts] = text
      }),
    and: () => this.text(', '),
    char: () => this.text(characterOf(this.source.take(NUMBER)?.[0] ?? '')),
    symbol: () => {
      const number = this.source.argument()
      this.text(characterOf(number) || number)
    },
    texorpdfstring: () =>
      this.argument(html => {
        this.html(tight(html))
        this.source.argument()
      }),
    enquote: () => this.argument(html => this.html(`“${tight(html)}”`)),
    frametitle: () => this.argument(html => this.block(`<h3>${tight(html)}</h3>`)),
    newtheorem: () => {
      const name = this.source.argument()
      this.source.option()
      this.theorems.set(name, this.source.argument())
      this.source.option()
    },
    multicolumn: () => {
      this.top.table?.span('columns', this.source.argument())
      this.source.argument()
    },
    multirow: () => {
      this.source.option()
      this.top.table?.span('rows', this.source.argument())
      this.source.option()
      this.source.argument()
    },
    hline: () => this.top.table?.endHead(),
    endhead: () => this.top.table?.repeat(),
  }

  #section(kind: number, isNumbered: boolean): void {
    flush(this.top)
    this.source.option()
    const level = Math.min(6, kind - this.#highest + 1)
    if (isNumbered) this.numbers.countSection(kind)
    this.argument(html => {
      const label = this.source.take(/\s*\\label\s*\{([^{}]*)\}/y)?.[1] ?? ''
      this.numbers.name(label)
      this.block(`<h${level} id="${escapeXml(label)}">${tight(html)}</h${level}>`)
    })
  }

  #place(name: string): void {
    this.numbers.name(name)
    this.html(anchor(name))
  }
}

/** A length that TeX sets or leaves room for, as after `\\vskip`. */
const LENGTH = /\s*=?\s*-?(?:\d*\.)?\d+(?:pt|pc|in|cm|mm|em|ex|bp|sp)\b(?:\s*(?:plus|minus)\s*[\d.]+[a-z]+)*/y

/** A number as TeX writes it: `92`, `'134`, `"5C` or `` `\\ ``. */
const NUMBER = /\s*(?:'([0-7]+)|"([\dA-F]+)|(\d+)|`\\?([\s\S])) ?/y

/** The character that has this number; nothing if it is none. */
function characterOf(number: string): string {
  const [, octal, hex, decimal = '', sign = ''] = new Scanner(number).take(NUMBER) ?? []
  const code = octal ? Number.parseInt(octal, 8) : hex ? Number.parseInt(hex, 16) : Number(decimal)
  return sign || (code >= 32 && code < 0xd800 ? String.fromCodePoint(code) : '')
}

const withMark = (marks: string, mark: string) =>
  mark === '' || marks.split(' ').includes(mark) ? marks : `${marks} ${mark}`.trim()

const addressIn = (written: string) => written.trim().replace(/\\([#%&_~{}$])/g, '$1')
