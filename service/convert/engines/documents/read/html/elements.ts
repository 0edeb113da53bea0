/** What the elements of HTML are: blocks are listed, all others are inline, also those that nobody knows. */
import type { Declarations } from '../../../books/book/css/cascade.ts'
import { blockElements } from '../../../common/html-elements.ts'
import { ownValue } from '../../../common/own-value.ts'
import type { XmlElement } from '../../../common/xml/element.ts'
import type { Marks } from '../../model.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements without readable content. */
const SKIPPED = names(
  'audio canvas datalist embed head iframe link meta meter noembed noframes noscript param progress script source style ' +
    'template title track video',
)

/** CSS properties that say something of the text. */
export const PROPERTIES = names(
  'display font-style font-variant font-variant-caps font-weight text-align text-decoration text-decoration-line vertical-align',
)

export const isHidden = ({ attributes }: XmlElement, { display }: Declarations): boolean =>
  display === 'none' || (attributes.hidden !== undefined && attributes.hidden !== 'until-found')

export const isSkipped = (element: XmlElement, css: Declarations): boolean =>
  SKIPPED.has(element.name) ||
  isHidden(element, css) ||
  // What KaTeX shows stands before it as MathML.
  element.attributes.class === 'katex-html'

export const isBlock = ({ name }: XmlElement, { display }: Declarations): boolean =>
  blockElements.has(name) && (display === undefined || !display.startsWith('inline') || name === 'li')

/** Whether an element that is no block has lines of its own. */
export const isOnLines = ({ name }: XmlElement, { display }: Declarations): boolean =>
  /^(?:block|list-item|flex|grid|table)$/.test(display ?? '') && !/^(?:br|img|math|svg)$/.test(name)

const MARKS: Record<string, Marks> = {
  ...{ b: { bold: true }, strong: { bold: true } },
  ...{ i: { italic: true }, em: { italic: true }, cite: { italic: true }, dfn: { italic: true } },
  ...{ var: { italic: true }, u: { underline: true }, ins: { underline: true } },
  ...{ s: { strike: true }, strike: { strike: true }, del: { strike: true } },
  ...{ sup: { superscript: true }, sub: { subscript: true }, mark: { highlight: true } },
  ...{ code: { code: true }, tt: { code: true }, kbd: { code: true }, samp: { code: true } },
}

/** Headings and heads of tables are bold anyway. */
const BOLD = /^(?:h[1-6]|th)$/

/** The marks of the text in an element. */
export function marksOf({ name }: XmlElement, css: Declarations, outer: Marks): Marks {
  const marks = { ...outer, ...ownValue(MARKS, name) }
  const set = (mark: keyof Marks, isOn: boolean) => {
    if (isOn) marks[mark] = true
    else delete marks[mark]
  }
  const { 'font-weight': weight, 'font-style': style, 'vertical-align': vertical } = css
  const caps = css['font-variant-caps'] ?? css['font-variant']
  if (BOLD.test(name)) set('bold', false)
  else if (weight) set('bold', /^(?:bold|[6-9]00)/.test(weight))
  if (caps) set('smallCaps', caps.includes('small-caps'))
  if (style) set('italic', /^(?:italic|oblique)/.test(style))
  if (vertical === 'super') set('superscript', true)
  if (vertical === 'sub') set('subscript', true)
  const line = css['text-decoration-line'] ?? css['text-decoration'] ?? ''
  // Links are underlined anyway, and dots below an abbreviation only say that it is explained.
  if (line.includes('underline') && name !== 'a' && !line.includes('dotted')) set('underline', true)
  if (line.includes('line-through')) set('strike', true)
  return marks
}

/** The language of code, as pages name it for those who colour it. */
export const codeLanguage = (classes: string | undefined): string | undefined =>
  /(?:^|\s)(?:lang(?:uage)?-|highlight-source-|brush:\s*|sourceCode\s+)([\w+#-]+)/.exec(classes ?? '')?.[1]
