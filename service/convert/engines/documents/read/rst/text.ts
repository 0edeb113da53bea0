/** Text of reStructuredText within a paragraph, and the links, notes and substitutions that it refers to. */
import { ownValue } from '../../../common/own-value.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import {
  anchor,
  equation,
  indentOf,
  link,
  noteLink,
  type PartWriters,
  picture,
  writtenLine,
} from '../by-html.ts'

export const FIELD = /^:(?![\s:])((?:[^:\\\n]|\\.|:(?![\s:]))+):(?:\s+|$)/
/** Levels of lists and blocks within one another; deeper ones are text. */
export const DEEPEST = 20
/** Longest text that stands for a name. */
const MAX_SUBSTITUTION = 20_000

export class RstText {
  /** Addresses by the names of links, and those without a name in order. */
  readonly #targets = new Map<string, string>()
  readonly #anonymous: string[] = []
  readonly #substitutions = new Map<string, () => string>()
  #references = 0
  protected depth = 0

  constructor(lines: readonly string[]) {
    for (const [at, line] of lines.entries()) {
      const found =
        /^\s*(?:\.\. (_)|(__) |\.\. (?=\|))(`[^`]+`|_(?=:)|\|[^|]+\||(?:[^:\\]|\\.|:(?=\S))*)(?::(?=\s|$)\s*|(?<=\|)\s+)?(.*)$/.exec(
          line,
        )
      if (!found) continue
      const [, target, anonymous, name = '', address = ''] = found
      const inside: string[] = []
      for (
        let next = at + 1;
        /^\s/.test(lines[next] ?? '') && indentOf(lines[next]!) > indentOf(line) && lines[next]!.trim();
        next++
      )
        inside.push(lines[next]!)
      if (anonymous) this.#anonymous.push(line.trim().slice(3))
      else if (target) {
        const whole = [address, ...inside.map(each => each.trim())].join('').replace(/\\(.)/g, '$1')
        if (name === '_') this.#anonymous.push(whole)
        else this.#targets.set(keyOf(name.replace(/^`|`$/g, '')), whole)
      } else if (/^\s*\.\. \|/.test(line)) {
        const [, directive = '', argument = ''] = /^([\w-]+)::\s*(.*)$/.exec(address) ?? []
        this.#substitutions.set(keyOf(name.slice(1, -1)), () => this.#substitute(directive, argument, inside))
      }
    }
    for (const [, name = '', address = ''] of lines.join('\n').matchAll(/`([^`<]+?)\s*<([^`>]+)>`_(?!_)/g))
      if (!address.endsWith('_')) this.#targets.set(keyOf(name), address.replace(/\s+/g, ''))
  }

  #substitute(directive: string, argument: string, inside: readonly string[]): string {
    if (directive === 'image') return this.image(argument, optionsIn(inside.map(line => line.trim())))
    if (directive === 'unicode')
      return escapeXml(
        argument
          .replace(/\s*\.\. .*$/, '')
          .replace(/(?:U\+|0x|\\u|\\x|&#x)([\da-fA-F]+);?\s*/g, (_, code) =>
            String.fromCodePoint(Number.parseInt(code, 16) % 0x110000),
          ),
      )
    return this.inline([argument, ...inside].join(' ').trim())
  }

  /** A picture with its link, given the lines of its options. */
  protected image(address: string, options: Readonly<Record<string, string>>): string {
    const size = ['width', 'height'].map(key =>
      /^\d+(?:px)?$/.test(options[key] ?? '') ? ` ${key}="${Number.parseInt(options[key]!, 10)}"` : '',
    )
    const shown = picture(address.replace(/\s+/g, ''), options.alt, size.join(''))
    return options.target ? link(this.#addressOf(options.target), shown) : shown
  }

  /** Where a link leads that has this name or address. */
  #addressOf(reference: string, depth = 0): string {
    const [, name] = /^(.*[^\\])_$/s.exec(reference.trim()) ?? []
    if (name === undefined) return reference.trim()
    const key = keyOf(name.replace(/^`|`$/g, ''))
    const target = this.#targets.get(key)
    return target && depth < 8 ? this.#addressOf(target, depth + 1) : `#${placeOf(key)}`
  }

  /** The HTML of text within a paragraph. */
  inline(text: string): string {
    if (this.depth > DEEPEST) return escapeXml(text)
    this.depth++
    const written = writtenLine(text, INLINE, this.#parts)
    this.depth--
    return written
  }

  readonly #parts: PartWriters = {
    escaped: sign => (sign.trim() === '' ? '' : escapeXml(sign)),
    code: text => `<code>${escapeXml(text)}</code>`,
    strong: text => `<strong>${escapeXml(unescaped(text))}</strong>`,
    em: text => `<em>${escapeXml(unescaped(text))}</em>`,
    words: (text, _, { role, after }) => this.#role(role ?? after ?? '', text),
    phrase: (phrase, whole) => {
      const [, shown = phrase, address] = /^([\s\S]*?)\s*<([^<>]+)>$/.exec(phrase) ?? []
      const target = address
        ? this.#addressOf(address.replace(/\s+/g, '').replace(/\\(.)/g, '$1'))
        : this.#named(phrase, whole)
      return link(target, escapeXml(unescaped(shown || address || '')))
    },
    note: name => noteLink(/^[#*]$/.test(name) ? `${name}${++this.#references}` : name),
    sub: (name, whole) => {
      const key = keyOf(name)
      const make = this.#substitutions.get(key)
      // One that names itself, or grows too long by naming others, stays as it is written.
      this.#substitutions.delete(key)
      const made = make?.() ?? ''
      const shown = made === '' || made.length > MAX_SUBSTITUTION ? escapeXml(whole) : made
      if (make) this.#substitutions.set(key, () => made)
      return whole.endsWith('_') ? link(this.#addressOf(`${name}_`), shown) : shown
    },
    place: name => anchor(placeOf(name)) + escapeXml(name),
    url: url => link(/^[\w.+-]+@/.test(url) ? `mailto:${url}` : url, escapeXml(url)),
    name: (name, whole) => link(this.#named(name, whole), escapeXml(name)),
  }

  /** Where a link leads that is written as a name, or the next one without a name. */
  #named(name: string, whole: string): string {
    return this.#addressOf(whole.endsWith('__') ? (this.#anonymous.shift() ?? '') : `${name}_`)
  }

  #role(role: string, text: string): string {
    const plain = unescaped(text)
    const shown = escapeXml(/^([\s\S]*?)\s*<[^<>]+>$/.exec(plain)?.[1] ?? plain.replace(/^[!~](?:.*\.)?/, ''))
    const kind = role.replace(/^.*:/, '').toLowerCase()
    const tag = ownValue(TAGS, kind)
    if (kind === 'math') return equation(text, false)
    if (/^(?:ref|numref|any)$/.test(kind))
      return link(this.#addressOf(`${/<([^<>]+)>$/.exec(plain)?.[1] ?? plain}_`), shown)
    if (/^(?:doc|term|abbr|guilabel|menuselection|index|download)$/.test(kind)) return shown
    if (/^(?:pep|rfc)$/.test(kind)) return `${kind.toUpperCase()} ${shown}`
    return tag ? `<${tag}>${shown}</${tag}>` : `<code>${shown}</code>`
  }
}

const TAGS: Record<string, string> = {
  ...{ '': 'em', title: 'em', 'title-reference': 'em', t: 'em', emphasis: 'em', dfn: 'em', strong: 'strong' },
  ...{ sup: 'sup', superscript: 'sup', sub: 'sub', subscript: 'sub' },
}

/** Marks begin after spaces or punctuation that opens, and end before spaces or punctuation. */
const BEFORE = String.raw`(?<=^|[\s\-:/'"<(\[{\p{Pi}\p{Ps}\p{Pd}])`
const AFTER = String.raw`(?=$|[\s\-.,:;!?\\/'")\]}>\p{Pe}\p{Pf}\p{Pd}])`
const inside = (end: string) => String.raw`(?:\\[\s\S]|(?!${end})[^\\]){0,2000}?`
const INLINE = new RegExp(
  [
    String.raw`${BEFORE}\x60\x60(?<code>\S|\S[\s\S]{0,2000}?\S)\x60\x60${AFTER}`,
    String.raw`\\(?<escaped>[\s\S])`,
    String.raw`${BEFORE}\*\*(?=\S)(?<strong>${inside('\\*\\*')}[^\s\\])\*\*${AFTER}`,
    String.raw`${BEFORE}\*(?=[^\s*])(?<em>${inside('\\*')}[^\s\\])\*${AFTER}`,
    String.raw`${BEFORE}_\x60(?<place>[^\x60]+)\x60${AFTER}`,
    String.raw`${BEFORE}\x60(?=\S)(?<phrase>(?:\\[\s\S]|[^\x60\\]){1,1000}?)\x60__?${AFTER}`,
    String.raw`${BEFORE}(?::(?<role>[\w.:+-]{1,200}):)?\x60(?=\S)(?<words>(?:\\[\s\S]|[^\x60\\]){1,1000}?)\x60(?::(?<after>[\w.+-]+):)?${AFTER}`,
    String.raw`${BEFORE}\[(?<note>#?[\w.:-]{0,200}|\*)\]_${AFTER}`,
    String.raw`${BEFORE}\|(?<sub>[^\s|](?:[^|\n]*[^\s|])?)\|_{0,2}${AFTER}`,
    String.raw`${BEFORE}(?<url>(?:https?|ftp):\/\/[^\s<>\x60"']*[\w/]|(?:mailto:)?[\w.+-]{1,200}@[\w-]+\.[\w.-]*\w)`,
    String.raw`${BEFORE}(?<name>[A-Za-z0-9](?:[\w.+-]*?[A-Za-z0-9])?)__?${AFTER}`,
    String.raw`[A-Za-z0-9]+(?![A-Za-z0-9_@.+-])|\s+`,
    String.raw`[\s\S]`,
  ].join('|'),
  'gu',
)

const unescaped = (text: string) => text.replace(/\\\s/g, '').replace(/\\(.)/g, '$1')

/** Names of links are the same in any case and with any white space. */
const keyOf = (name: string) => unescaped(name).toLowerCase().replace(/\s+/g, ' ').trim()
export const placeOf = (name: string) => keyOf(name).replace(/[^\p{L}\p{N}]+/gu, '-')

/** The options of a directive, which stand at the beginning of its lines. */
export function optionsIn(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.flatMap(line => {
      const [whole = '', key = ''] = FIELD.exec(line) ?? []
      return key ? [[key, line.slice(whole.length)]] : []
    }),
  )
}
