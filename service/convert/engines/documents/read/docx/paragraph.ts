import { childOf, type XmlElement } from '../../../common/xml/element.ts'
import { type Align, type Inline, inlineIn, type Marks, mapInline, plainText, run } from '../../model.ts'
import { isMonospacedFont } from './inline.ts'
import { type Style, setting, toggle } from './styles.ts'

const CODE_STYLE = /\b(?:code|source ?code|verbatim|preformatted|console|terminal)\b/
/** Signs of code, which prose in a monospaced font does not have. */
const CODE_SIGNS = /[;{}()=<>[\]$#\\|_`]|^\s|^\S+$/
const QUOTE_STYLE = /\b(?:quote|quotation|quotations|block text|blockquote)\b/

export const isQuote = (style: Style): boolean => QUOTE_STYLE.test(style.name)

const isRaised = ({ superscript, subscript }: Marks) => superscript || subscript

/** Whether a whole paragraph is set in a monospaced font, without raised or lowered text. */
const isMonospaced = (content: readonly Inline[]) =>
  plainText(content).trim() !== '' &&
  content.every(part => {
    if (part.kind === 'text') return (part.marks.code && !isRaised(part.marks)) || part.text.trim() === ''
    return part.kind === 'anchor' || part.kind === 'break'
  })

/** Whether text in a style of monospaced type is set in other fonts, as where a page was pasted and became a letter. */
const isProportional = (content: readonly Inline[], style: Style) =>
  isMonospacedFont(setting(style.run, 'w:rFonts', 'w:ascii')) &&
  plainText(content).trim() !== '' &&
  textsIn(content).every(part => !part.marks.code)

/**
 * Detects code by its style, or by its font and characters.
 * @param knowsFonts whether monospaced fonts are marked as code
 */
export const isCode = (content: readonly Inline[], style: Style, knowsFonts = true): boolean =>
  (CODE_STYLE.test(style.name) && !(knowsFonts && isProportional(content, style))) ||
  (isMonospaced(content) && CODE_SIGNS.test(plainText(content)))

/** Removes the code mark from prose in a monospaced font. */
export function plainProse(content: Inline[], style: Style): Inline[] {
  if (!isMonospaced(content) || isCode(content, style)) return content
  return content.map(part => {
    if (part.kind !== 'text') return part
    const { code: _, ...marks } = part.marks
    return { ...part, marks }
  })
}

export function headingLevel(
  style: Style,
  properties: readonly (XmlElement | undefined)[],
): number | undefined {
  const named = /^heading (\d)$/.exec(style.name)
  if (named) return Math.min(6, Math.max(1, Number(named[1])))
  if (style.name === 'title') return 1
  const outline = Number(setting(properties, 'w:outlineLvl') ?? 9)
  return outline >= 0 && outline < 9 ? Math.min(6, Math.trunc(outline) + 1) : undefined
}

/** Text preceded by its number. */
export const numbered = (label: string | undefined, content: Inline[]): Inline[] =>
  label ? [run(`${label} `), ...content] : content

/** Headings and quotes are marked by their block kind, so the formatting of their styles is dropped. */
export const textStyle = (style: Style): Style =>
  /^(?:heading \d|title|subtitle|caption)$/.test(style.name) || isQuote(style) ? { ...style, run: [] } : style

type Text = Extract<Inline, { kind: 'text' }>

const textsIn = (content: readonly Inline[]): Text[] =>
  [...inlineIn(content)].filter(part => part.kind === 'text')

export const isHeadingBold = (content: readonly Inline[]) => {
  const written = textsIn(content).filter(part => part.text.trim() !== '')
  return written.length > 0 && written.every(part => part.marks.bold)
}

/** Removes bold from a heading, which is bold anyway. */
export const withoutBold = (content: readonly Inline[]): Inline[] =>
  mapInline(content, part => {
    if (part.kind !== 'text') return part
    const { bold: _, ...marks } = part.marks
    return { ...part, marks }
  })

export const codeOf = (content: readonly Inline[]): string =>
  plainText(mapInline(content, part => (part.kind === 'break' ? run('\n') : part)))

export const alignment = (value: string | undefined): Align | undefined =>
  value === 'center' ? value : value === 'right' || value === 'end' ? 'right' : undefined

/** Removes spaces and breaks at the end. */
export function trimmed(content: Inline[]): Inline[] {
  const isBlank = (part: Inline | undefined) =>
    part?.kind === 'break' || (part?.kind === 'text' && part.text.trim() === '')
  let end = content.length
  while (end > 0 && isBlank(content[end - 1])) end--
  return content.slice(0, end)
}

/** Whether the next paragraph continues this one: this is a drop cap, or its paragraph mark is deleted. */
export function continuesInNext(properties: XmlElement | undefined): boolean {
  const initial = childOf(properties, 'w:framePr')?.attributes['w:dropCap'] ?? 'none'
  return initial !== 'none' || childOf(childOf(properties, 'w:rPr'), 'w:del') !== undefined
}

/** Whether an empty paragraph is not counted in its list: it only ends a section, or is hidden. */
export const isUncounted = (properties: XmlElement | undefined): boolean =>
  childOf(properties, 'w:sectPr') !== undefined || toggle([childOf(properties, 'w:rPr')], 'w:vanish')
