/** Text formatting from a book's styles, and its representation in Word. */
import type { Declarations } from '../../../books/book/css/cascade.ts'
import { fontSize } from '../../../books/book/css/font-sizes.ts'
import { hasRightToLeft } from '../../../common/language/script.ts'
import { ownValue } from '../../../common/own-value.ts'
import { escapeXml } from '../../../common/xml/characters.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import { parseColour } from '../../../pictures/skia/colour.ts'
import { CODE_FONT, elementStyles, isBoldStyle, languageXml, sizeOfStyle, TEXT_SIZE } from './parts/styles.ts'

/** Supported properties. */
export const properties: ReadonlySet<string> = new Set(
  (
    'background-color border border-bottom border-left border-right border-style border-top border-width break-after ' +
    'break-before color direction display font-family font-size font-style font-variant font-variant-caps font-weight ' +
    'height list-style list-style-type margin-bottom margin-left margin-right margin-top max-width padding-bottom ' +
    'padding-left padding-right padding-top -refile-pitch -refile-size page-break-after page-break-before text-align text-decoration text-decoration-line text-indent ' +
    'text-transform vertical-align white-space width writing-mode -epub-writing-mode -webkit-writing-mode'
  ).split(' '),
)

/** Look of running text. */
export interface Look {
  bold?: boolean | undefined
  italic?: boolean | undefined
  underline?: boolean | undefined
  strike?: boolean | undefined
  caps?: boolean | undefined
  smallCaps?: boolean | undefined
  vertical?: 'superscript' | 'subscript' | undefined
  font?: string | undefined
  /** Size, relative to that of the document's text. */
  scale: number
  /** As six hexadecimal digits. */
  colour?: string | undefined
  ground?: string | undefined
  /** Set if it is not the book's own. */
  language?: string | undefined
  keepsSpace: boolean
  /** Attributes of the surrounding link. */
  link?: string | undefined
  /** Whether links look like the text around them. */
  hidesLinks?: boolean | undefined
}

const tags: Record<string, Partial<Look>> = {
  ...Object.fromEntries(['b', 'strong', 'th'].map(name => [name, { bold: true }])),
  ...Object.fromEntries(['i', 'em', 'cite', 'dfn', 'var', 'address'].map(name => [name, { italic: true }])),
  ...Object.fromEntries(['u', 'ins'].map(name => [name, { underline: true }])),
  ...Object.fromEntries(['s', 'del', 'strike'].map(name => [name, { strike: true }])),
  ...Object.fromEntries(['code', 'kbd', 'samp', 'tt'].map(name => [name, { font: CODE_FONT }])),
  pre: { keepsSpace: true },
  textarea: { keepsSpace: true },
  sup: { vertical: 'superscript' },
  sub: { vertical: 'subscript' },
  mark: { ground: 'FFFF00' },
}
for (const level of [1, 2, 3, 4, 5, 6]) tags[`h${level}`] = { bold: true }

/** The formatting of an element's content. */
export function lookOf(element: XmlElement, css: Declarations, outer: Look, bookLanguage: string): Look {
  const look: Look = { ...outer, ...tags[element.name] }
  const own = ownValue(elementStyles, element.name)
  if (own) look.scale *= sizeOfStyle(own) / TEXT_SIZE
  if (element.name === 'small') look.scale *= 0.85
  if (element.name === 'big') look.scale *= 1.2
  const language = element.attributes['xml:lang'] ?? element.attributes.lang
  if (language) look.language = language.toLowerCase() === bookLanguage.toLowerCase() ? undefined : language
  const weight = css['font-weight']
  if (weight) look.bold = weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
  const style = css['font-style']
  if (style) look.italic = style !== 'normal'
  const variant = css['font-variant-caps'] ?? css['font-variant']
  if (variant) look.smallCaps = variant.includes('small-caps')
  const transform = css['text-transform']
  if (transform) look.caps = transform === 'uppercase'
  const line = css['text-decoration-line'] ?? css['text-decoration']
  if (line?.includes('underline')) look.underline = true
  if (line?.includes('line-through')) look.strike = true
  if (line === 'none') {
    look.underline = undefined
    look.hidesLinks = outer.link !== undefined
  }
  const vertical = css['vertical-align']
  if (vertical === 'super' || vertical === 'sub')
    look.vertical = vertical === 'super' ? 'superscript' : 'subscript'
  else if (vertical === 'baseline') look.vertical = undefined
  const size = css['font-size']
  if (size && element.name !== 'body' && element.name !== 'html') look.scale = scaled(size, look)
  const points = Number(css['-refile-size'])
  if (points > 0) look.scale = (points * 2) / TEXT_SIZE
  const family = css['font-family']
  if (family) look.font = fontOf(family)
  const colour = css.color && colourOf(css.color)
  if (colour) look.colour = colour === '000000' ? undefined : colour
  const ground = css['background-color'] && colourOf(css['background-color'])
  if (ground && isInline(element.name)) look.ground = ground === 'FFFFFF' ? undefined : ground
  const space = css['white-space']
  if (space) look.keepsSpace = space.startsWith('pre')
  return look
}

const isInline = (name: string) =>
  /^(?:span|a|b|i|em|strong|code|mark|font|small|big|kbd|samp|cite)$/.test(name)

const SMALLEST = 0.4
const LARGEST = 6

function scaled(size: string, { scale, vertical }: Look): number {
  // Word makes superscript and subscript smaller itself.
  const found = vertical ? undefined : fontSize(size, scale)
  return found === undefined ? scale : Math.max(SMALLEST, Math.min(LARGEST, found))
}

const generic: Record<string, string | undefined> = {
  serif: undefined,
  'sans-serif': 'Arial',
  monospace: CODE_FONT,
  cursive: undefined,
  fantasy: undefined,
  'system-ui': 'Arial',
}

function fontOf(family: string): string | undefined {
  const name = (family.split(',')[0] ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim()
  const lower = name.toLowerCase()
  if (Object.hasOwn(generic, lower)) return generic[lower]
  return /^[\p{L}\p{N} _.+-]{1,60}$/u.test(name) && lower !== 'inherit' ? name : undefined
}

export function colourOf(value: string): string | undefined {
  const [red, green, blue, alpha] = parseColour(value) ?? []
  if (!alpha) return undefined
  return Buffer.from([red!, green!, blue!]).toString('hex').toUpperCase()
}

/** `w:rPr` of text in a paragraph of a style, with its elements in the order of the schema; empty if nothing differs. */
export function runXml(look: Look, style: string, text: string): string {
  const bold = look.bold ?? false
  const size = Math.max(2, Math.round(TEXT_SIZE * look.scale))
  const isShownLink = look.link !== undefined && !look.hidesLinks
  const font = look.font === undefined || style === 'Code' ? '' : escapeXml(look.font)
  const inner = [
    isShownLink ? '<w:rStyle w:val="Hyperlink"/>' : '',
    font && `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:cs="${font}"/>`,
    bold === isBoldStyle(style) ? '' : bold ? '<w:b/><w:bCs/>' : '<w:b w:val="0"/><w:bCs w:val="0"/>',
    look.italic ? '<w:i/><w:iCs/>' : '',
    look.caps ? '<w:caps/>' : look.smallCaps ? '<w:smallCaps/>' : '',
    look.strike ? '<w:strike/>' : '',
    look.colour ? `<w:color w:val="${look.colour}"/>` : '',
    size === sizeOfStyle(style) ? '' : `<w:sz w:val="${size}"/><w:szCs w:val="${size}"/>`,
    look.underline && !isShownLink ? '<w:u w:val="single"/>' : '',
    look.ground ? `<w:shd w:val="clear" w:color="auto" w:fill="${look.ground}"/>` : '',
    look.vertical ? `<w:vertAlign w:val="${look.vertical}"/>` : '',
    hasRightToLeft(text) ? '<w:rtl/>' : '',
    look.language ? languageXml(look.language) : '',
  ].join('')
  return inner && `<w:rPr>${inner}</w:rPr>`
}
