import { JobFailure } from '../../../../shared/errors.ts'
import { XmlError } from './element.ts'
import { decodeReferences } from './references.ts'

/** Maximum number of attributes of an element. */
const ATTRIBUTE_LIMIT = 1000

/**
 * Reads XML token by token. Tokens keep their position in the text, so that unchanged parts can be copied verbatim.
 * Small errors with only one possible meaning (`AT&T`, an attribute without quotes) are read as intended and counted.
 * Document types are skipped, including the entities they declare.
 */
export class XmlScanner {
  readonly text: string
  kind: 'text' | 'start' | 'end' | 'cdata' | 'comment' | 'instruction' | 'doctype' = 'text'
  /** Name of the element, for `start` and `end`. */
  name = ''
  /** Whether a `start` is self-closing: `<br/>`. */
  isEmpty = false
  /** Decoded attributes of a `start`. */
  attributes = new Map<string, string>()
  /** Start and end of the token in the text. */
  from = 0
  to = 0
  /** Number of errors that were repaired. */
  repairs = 0
  #at = 0

  constructor(text: string) {
    this.text = text
  }

  /**
   * Advances to the next token.
   * @returns false at the end
   * @throws XmlError if the text ends within a tag; JobFailure too_large
   */
  next(): boolean {
    const { text } = this
    this.from = this.#at
    if (this.from >= text.length) return false
    if (text.charCodeAt(this.from) !== LESS) this.#toEndOfText()
    else {
      const sign = text.charCodeAt(this.from + 1)
      if (sign === SLASH) this.#endTag()
      else if (sign === EXCLAMATION) this.#declaration()
      else if (sign === QUESTION) this.#until('?>', 'instruction', 2)
      else if (isNameStart(sign)) this.#startTag()
      else {
        this.repairs++
        this.#toEndOfText()
      }
    }
    this.#at = this.to
    return true
  }

  /** The decoded text of a `text` or `cdata` token. */
  content(): string {
    if (this.kind === 'cdata') return this.text.slice(this.from + 9, this.to - 3)
    return this.#decode(this.from, this.to)
  }

  #decode(from: number, to: number): string {
    const raw = this.text.slice(from, to)
    if (!raw.includes('&')) return raw
    return decodeReferences(raw, () => this.repairs++)
  }

  #toEndOfText(): void {
    this.kind = 'text'
    const next = this.text.indexOf('<', this.from + 1)
    this.to = next < 0 ? this.text.length : next
  }

  #until(end: string, kind: XmlScanner['kind'], skip: number): void {
    const found = this.text.indexOf(end, this.from + skip)
    if (found < 0) throw new XmlError('the document breaks off')
    this.kind = kind
    this.to = found + end.length
  }

  #declaration(): void {
    if (this.text.startsWith('<!--', this.from)) this.#until('-->', 'comment', 4)
    else if (this.text.startsWith('<![CDATA[', this.from)) this.#until(']]>', 'cdata', 9)
    else this.#doctype()
  }

  #doctype(): void {
    let depth = 0
    for (let at = this.from + 2; at < this.text.length; at++) {
      const sign = this.text.charCodeAt(at)
      if (sign === QUOTE || sign === APOSTROPHE) {
        at = this.text.indexOf(this.text[at]!, at + 1)
        if (at < 0) break
      } else if (sign === OPENING) depth++
      else if (sign === CLOSING) depth--
      else if (sign === GREATER && depth <= 0) {
        this.kind = 'doctype'
        this.to = at + 1
        return
      }
    }
    throw new XmlError('the document breaks off')
  }

  #endTag(): void {
    this.#until('>', 'end', 2)
    this.name = this.text.slice(this.from + 2, this.to - 1).trimEnd()
  }

  #startTag(): void {
    const { text } = this
    let at = endOfName(text, this.from + 1)
    this.kind = 'start'
    this.name = text.slice(this.from + 1, at)
    this.attributes = new Map()
    for (;;) {
      at = afterSpace(text, at)
      const sign = text.charCodeAt(at)
      if (sign === GREATER) {
        this.isEmpty = false
        this.to = at + 1
        return
      }
      if (sign === SLASH && text.charCodeAt(at + 1) === GREATER) {
        this.isEmpty = true
        this.to = at + 2
        return
      }
      if (Number.isNaN(sign) || sign === LESS) throw new XmlError('a tag does not end')
      at = this.#attribute(at)
    }
  }

  #attribute(from: number): number {
    const { text } = this
    const nameEnd = endOfName(text, from)
    if (nameEnd === from) {
      this.repairs++
      return from + 1
    }
    const name = text.slice(from, nameEnd)
    let at = afterSpace(text, nameEnd)
    let value = name
    if (text.charCodeAt(at) === EQUALS) {
      at = afterSpace(text, at + 1)
      const quote = text.charCodeAt(at)
      if (quote === QUOTE || quote === APOSTROPHE) {
        const end = text.indexOf(text[at]!, at + 1)
        if (end < 0) throw new XmlError('a tag does not end')
        value = this.#decode(at + 1, end)
        if (value.includes('<') && text.slice(at, end).includes('<')) this.repairs++
        at = end + 1
      } else {
        const start = at
        while (at < text.length && !isSpace(text.charCodeAt(at)) && text.charCodeAt(at) !== GREATER) at++
        value = this.#decode(start, at)
        this.repairs++
      }
    } else this.repairs++
    if (this.attributes.has(name)) this.repairs++
    else this.attributes.set(name, value)
    if (this.attributes.size > ATTRIBUTE_LIMIT) throw new JobFailure('jobs.too_large')
    return at
  }
}

const LESS = 60
const GREATER = 62
const SLASH = 47
const EXCLAMATION = 33
const QUESTION = 63
const EQUALS = 61
const QUOTE = 34
const APOSTROPHE = 39
const OPENING = 91
const CLOSING = 93

const isSpace = (sign: number) => sign === 32 || sign === 10 || sign === 9 || sign === 13

const isNameStart = (sign: number) =>
  (sign >= 97 && sign <= 122) || (sign >= 65 && sign <= 90) || sign === 95 || sign === 58 || sign >= 0xc0

const isName = (sign: number) =>
  isNameStart(sign) || (sign >= 48 && sign <= 57) || sign === 45 || sign === 46 || sign === 0xb7

function endOfName(text: string, from: number): number {
  let at = from
  while (isName(text.charCodeAt(at))) at++
  return at
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}
