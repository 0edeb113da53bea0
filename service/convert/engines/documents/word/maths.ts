/**
 * Converts presentation MathML (https://www.w3.org/TR/MathML3/chapter3.html) to Office MathML (ECMA-376, part 1, 22.1).
 */

import { escapeXml } from '../../books/book/markup/write.ts'
import { ownValue } from '../../common/own-value.ts'
import { elementsOf, textOf, type XmlElement } from '../../common/xml/element.ts'

const NARY = /^[∑∏∐∫∬∭∮∯∰⋀⋁⋂⋃⨀⨁⨂⨄⨆]$/
const INTEGRAL = /^[∫∬∭∮∯∰]$/
/** Accents over a base, with the combining characters that Word uses for them. */
const accents: Record<string, string> = {
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '˙': '\u0307',
  '.': '\u0307',
  '¨': '\u0308',
  ˇ: '\u030c',
  '´': '\u0301',
  '`': '\u0300',
  '˘': '\u0306',
  '→': '\u20d7',
  '⃗': '\u20d7',
  '⇀': '\u20d1',
  '←': '\u20d6',
  '̂': '\u0302',
}
const BARS = /^(?:[\u00af\u203e_\u2015]|\u0332|\u0305)$/
const BRACES = /^[⏞⏟︷︸⎴⎵]$/
const fences: Record<string, string> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '⟨': '⟩',
  '⌈': '⌉',
  '⌊': '⌋',
  '‖': '‖',
  '|': '|',
  '〈': '〉',
}

const variants: Record<string, string> = {
  normal: '<m:sty m:val="p"/>',
  bold: '<m:sty m:val="b"/>',
  italic: '<m:sty m:val="i"/>',
  'bold-italic': '<m:sty m:val="bi"/>',
  'double-struck': '<m:scr m:val="double-struck"/><m:sty m:val="p"/>',
  script: '<m:scr m:val="script"/>',
  fraktur: '<m:scr m:val="fraktur"/>',
  'sans-serif': '<m:scr m:val="sans-serif"/><m:sty m:val="p"/>',
  monospace: '<m:scr m:val="monospace"/><m:sty m:val="p"/>',
}

/**
 * A formula as the content of `m:oMath`.
 * @returns undefined if it is not presentation MathML
 */
export function mathsXml(math: XmlElement): string | undefined {
  const state = { isKnown: true }
  const xml = row(elementsOf(math), state)
  return state.isKnown && xml !== '' ? xml : undefined
}

interface State {
  isKnown: boolean
}

const words = (element: XmlElement) => textOf(element).replace(/\s+/g, ' ').trim()
const run = (text: string, look = '') =>
  text === ''
    ? ''
    : `<m:r>${look && `<m:rPr>${look}</m:rPr>`}<m:t xml:space="preserve">${escapeXml(text)}</m:t></m:r>`
const part = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`

function row(elements: readonly XmlElement[], state: State): string {
  let xml = ''
  for (let at = 0; at < elements.length; at++) {
    const sum = nary(elements[at]!, state)
    if (!sum) {
      xml += one(elements[at]!, state)
      continue
    }
    // A large operator takes the following element as its operand.
    const next = elements[at + 1]
    const isOf = next !== undefined && !(next.name === 'mo' && /^[=<>≤≥,;)\]}]$/.test(words(next)))
    xml += sum(isOf ? one(next, state) : '')
    if (isOf) at += 1
  }
  return xml
}

/** A large operator with its limits. */
function nary(element: XmlElement, state: State): ((of: string) => string) | undefined {
  if (!/^m(?:sub|sup|subsup|under|over|underover)$/.test(element.name)) return undefined
  const [base, first, second] = elementsOf(element)
  const sign = base?.name === 'mo' ? words(base) : ''
  if (!NARY.test(sign)) return undefined
  const isUpper = element.name === 'msup' || element.name === 'mover'
  const lower = isUpper || !first ? '' : one(first, state)
  const upperElement = isUpper ? first : second
  const upper = upperElement ? one(upperElement, state) : ''
  const place = /under|over/.test(element.name) && !INTEGRAL.test(sign) ? 'undOvr' : 'subSup'
  const hidden = `${lower ? '' : '<m:subHide m:val="1"/>'}${upper ? '' : '<m:supHide m:val="1"/>'}`
  return of =>
    `<m:nary><m:naryPr><m:chr m:val="${sign}"/><m:limLoc m:val="${place}"/>${hidden}</m:naryPr>${part('sub', lower)}${part('sup', upper)}${part('e', of)}</m:nary>`
}

function one(element: XmlElement, state: State): string {
  const children = elementsOf(element)
  const child = (index: number) => (children[index] ? one(children[index], state) : '')
  const { attributes } = element
  switch (element.name) {
    case 'mi': {
      const text = words(element)
      const variant =
        ownValue(variants, attributes.mathvariant ?? ([...text].length > 1 ? 'normal' : '')) ?? ''
      return run(text, variant)
    }
    case 'mn':
    case 'mo':
      return run(
        words(element).replace(/[\u2061-\u2064]/g, ''),
        ownValue(variants, attributes.mathvariant ?? '') ?? '',
      )
    case 'mtext':
    case 'ms': {
      const text = textOf(element).replace(/\s+/g, ' ')
      return run(element.name === 'ms' ? `"${text}"` : text, '<m:nor/>')
    }
    case 'mspace':
      return run(' ')
    case 'mrow':
      return fenced(children, state) ?? row(children, state)
    case 'math':
    case 'mstyle':
    case 'mpadded':
    case 'merror':
    case 'menclose':
    case 'mtd':
      return row(children, state)
    case 'semantics':
    case 'maction':
      return child(0)
    case 'mphantom':
      return `<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr>${part('e', row(children, state))}</m:phant>`
    case 'mfrac': {
      const type = /^0/.test(attributes.linethickness ?? '')
        ? 'noBar'
        : attributes.bevelled === 'true'
          ? 'skw'
          : ''
      const look = type && `<m:fPr><m:type m:val="${type}"/></m:fPr>`
      return `<m:f>${look}${part('num', child(0))}${part('den', child(1))}</m:f>`
    }
    case 'msqrt':
      return `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${part('e', row(children, state))}</m:rad>`
    case 'mroot':
      return `<m:rad>${part('deg', child(1))}${part('e', child(0))}</m:rad>`
    case 'msub':
      return `<m:sSub>${part('e', child(0))}${part('sub', child(1))}</m:sSub>`
    case 'msup':
      return `<m:sSup>${part('e', child(0))}${part('sup', child(1))}</m:sSup>`
    case 'msubsup':
      return `<m:sSubSup>${part('e', child(0))}${part('sub', child(1))}${part('sup', child(2))}</m:sSubSup>`
    case 'mover':
    case 'munder':
      return limit(element.name === 'mover', child(0), children[1], state)
    case 'munderover':
      return `<m:limUpp>${part('e', limit(false, child(0), children[1], state))}${part('lim', child(2))}</m:limUpp>`
    case 'mmultiscripts':
      return scripts(children, state)
    case 'mfenced':
      return delimited(
        attributes.open ?? '(',
        attributes.close ?? ')',
        children.map(each => one(each, state)),
        (attributes.separators ?? ',').trim().slice(0, 1),
      )
    case 'mtable': {
      const rows = children.map(({ children: cells }) =>
        part(
          'mr',
          cells.flatMap(cell => (typeof cell === 'object' ? [part('e', one(cell, state))] : [])).join(''),
        ),
      )
      return `<m:m>${rows.join('')}</m:m>`
    }
    case 'none':
    case 'mprescripts':
    case 'annotation':
    case 'annotation-xml':
    case 'maligngroup':
    case 'malignmark':
      return ''
    default:
      state.isKnown = false
      return ''
  }
}

const delimited = (open: string, close: string, parts: readonly string[], separator = '') =>
  `<m:d><m:dPr><m:begChr m:val="${escapeXml(open)}"/>${separator && `<m:sepChr m:val="${escapeXml(separator)}"/>`}<m:endChr m:val="${escapeXml(close)}"/></m:dPr>${parts.map(each => part('e', each)).join('')}</m:d>`

/** A row between matching delimiters. */
function fenced(children: readonly XmlElement[], state: State): string | undefined {
  const [first, last] = [children[0], children.at(-1)]
  if (children.length < 3 || first?.name !== 'mo' || last?.name !== 'mo') return undefined
  const [open, close] = [words(first), words(last)]
  const isPair =
    ownValue(fences, open) === close && !children.slice(1, -1).some(each => words(each) === close)
  return isPair ? delimited(open, close, [row(children.slice(1, -1), state)]) : undefined
}

function limit(isOver: boolean, base: string, mark: XmlElement | undefined, state: State): string {
  const sign = mark?.name === 'mo' ? words(mark) : ''
  if (BARS.test(sign))
    return `<m:bar><m:barPr><m:pos m:val="${isOver ? 'top' : 'bot'}"/></m:barPr>${part('e', base)}</m:bar>`
  if (BRACES.test(sign))
    return `<m:groupChr><m:groupChrPr><m:chr m:val="${sign}"/><m:pos m:val="${isOver ? 'top' : 'bot'}"/></m:groupChrPr>${part('e', base)}</m:groupChr>`
  const accent = isOver ? ownValue(accents, sign) : undefined
  if (accent) return `<m:acc><m:accPr><m:chr m:val="${accent}"/></m:accPr>${part('e', base)}</m:acc>`
  const name = isOver ? 'limUpp' : 'limLow'
  return `<m:${name}>${part('e', base)}${part('lim', mark ? one(mark, state) : '')}</m:${name}>`
}

/** A base with scripts after and before it, the first of each. */
function scripts(children: readonly XmlElement[], state: State): string {
  const [base, ...rest] = children
  const before = rest.findIndex(({ name }) => name === 'mprescripts')
  const after = before < 0 ? rest : rest.slice(0, before)
  const pre = before < 0 ? [] : rest.slice(before + 1)
  const texts = (pair: readonly XmlElement[]) =>
    [pair[0], pair[1]].map(each => (each ? one(each, state) : ''))
  let xml = base ? one(base, state) : ''
  for (let at = 0; at < after.length; at += 2) {
    const [sub, sup] = texts(after.slice(at))
    xml = `<m:sSubSup>${part('e', xml)}${part('sub', sub!)}${part('sup', sup!)}</m:sSubSup>`
  }
  for (let at = 0; at < pre.length; at += 2) {
    const [sub, sup] = texts(pre.slice(at))
    xml = `<m:sPre>${part('sub', sub!)}${part('sup', sup!)}${part('e', xml)}</m:sPre>`
  }
  return xml
}
