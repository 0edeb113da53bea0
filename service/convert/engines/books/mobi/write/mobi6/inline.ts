import { escapeXml } from '../../../../common/xml/characters.ts'
import type { Utf8Writer } from '../utf8-writer.ts'
import type { TextStyle } from './style.ts'

/** Text style implied by a block, which therefore needs no tags. */
export interface Implied {
  isBold: boolean
  isFixed: boolean
  size: number
}

export interface InlineContext {
  style: TextStyle
  implied: Implied
  link: LinkTarget | undefined
}

/** Target of a link: a place in the book, or an address. */
export type LinkTarget = { target: string } | { address: string }

/** The text of a book, and the places in it to be filled in with the position of a target. */
export interface LinkedText {
  text: Utf8Writer
  links: { at: number; target: string }[]
}

/** Digits of a position in the text. */
export const POSITION_DIGITS = 10

/** Writes room for the position of a target. */
export function writePosition({ text, links }: LinkedText, target: string): void {
  links.push({ at: text.length, target })
  text.write('0'.repeat(POSITION_DIGITS))
}

/** Writes text with inline tags, which are opened and closed as the style changes. */
export class InlineWriter {
  readonly #text: Utf8Writer
  readonly #linked: LinkedText
  #open: { tag: string; name: string }[] = []
  #openLink: LinkTarget | undefined
  /** Whether a space would be at the beginning of a line or after another space. */
  #isAfterSpace = true

  constructor(linked: LinkedText) {
    this.#text = linked.text
    this.#linked = linked
  }

  write(text: string, context: InlineContext): void {
    const { style } = context
    const spaced = style.keepsSpaces ? text : this.#collapsed(text)
    if (spaced === '') return
    this.#isAfterSpace = !style.keepsSpaces && spaced.endsWith(' ')
    if (style.isSmallCaps) {
      for (const run of spaced.match(/[\p{Ll}\p{M}\s]+|[^\p{Ll}]+/gu) ?? []) {
        const isSmall = /\p{Ll}/u.test(run)
        this.#sync(isSmall ? { ...context, style: { ...style, size: style.size * 0.8 } } : context)
        this.#put(run.toUpperCase(), style)
      }
      return
    }
    this.#sync(context)
    this.#put(TRANSFORMS[style.transform](spaced), style)
  }

  /** Writes something other than text, such as a picture. */
  raw(markup: string, context: InlineContext): void {
    this.#sync(context)
    this.#text.write(markup)
    this.#isAfterSpace = /^<br/.test(markup)
  }

  /** Closes all tags, since a block begins or ends. */
  close(): void {
    this.#closeDownTo(0)
    this.#isAfterSpace = true
  }

  #put(text: string, { keepsSpaces }: TextStyle): void {
    this.#text.write(escapeXml(keepsSpaces ? text.replace(/\t/g, '        ') : text))
  }

  #collapsed(text: string): string {
    const collapsed = text.replace(/[ \t\n\r\f]+/g, ' ')
    return this.#isAfterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
  }

  #sync({ style, implied, link }: InlineContext): void {
    const wanted = tagsFor(style, implied)
    let same = 0
    if (this.#openLink === link) {
      const shift = link ? 1 : 0
      while (same < wanted.length && this.#open[same + shift]?.tag === wanted[same]) same++
      same += shift
    }
    this.#closeDownTo(same)
    if (link && this.#openLink !== link) this.#startLink(link)
    for (const tag of wanted.slice(this.#open.length - (link ? 1 : 0))) {
      this.#text.write(`<${tag}>`)
      this.#open.push({ tag, name: tag.split(' ', 1)[0]! })
    }
  }

  #startLink(link: LinkTarget): void {
    if ('address' in link) this.#text.write(`<a href="${escapeXml(link.address)}">`)
    else {
      this.#text.write('<a filepos=')
      writePosition(this.#linked, link.target)
      this.#text.write('>')
    }
    this.#open.push({ tag: 'a', name: 'a' })
    this.#openLink = link
  }

  #closeDownTo(count: number): void {
    while (this.#open.length > count) this.#text.write(`</${this.#open.pop()!.name}>`)
    if (count === 0) this.#openLink = undefined
  }
}

function tagsFor(style: TextStyle, implied: Implied): string[] {
  const tags: string[] = []
  if (style.isBold && !implied.isBold) tags.push('b')
  if (style.isItalic) tags.push('i')
  if (style.isUnderlined) tags.push('u')
  if (style.isStruck) tags.push('s')
  if (style.isFixed && !implied.isFixed) tags.push('tt')
  if (style.position) tags.push(style.position)
  const size = htmlSize(style.size / implied.size)
  if (size !== 3 && !style.position) tags.push(`font size="${size}"`)
  return tags
}

/** Upper limits of the HTML font sizes from 1 on, as multiples of the normal size. */
const SIZES = [0.7, 0.92, 1.15, 1.4, 1.75, 2.4]

const htmlSize = (factor: number) => {
  const index = SIZES.findIndex(limit => factor < limit)
  return index < 0 ? 7 : index + 1
}

const TRANSFORMS: Readonly<Record<TextStyle['transform'], (text: string) => string>> = {
  none: text => text,
  uppercase: text => text.toUpperCase(),
  lowercase: text => text.toLowerCase(),
  capitalize: text => text.replace(/(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu, letter => letter.toUpperCase()),
}
