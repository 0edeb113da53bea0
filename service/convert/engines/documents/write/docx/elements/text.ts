/** Text, formulas and readings within a paragraph. */
import { escapeXml } from '../../../../common/xml/characters.ts'
import { textOf, type XmlElement } from '../../../../common/xml/element.ts'
import { readMathml } from '../../../equations/read-mathml.ts'
import { ommlOf } from '../../../equations/write-omml.ts'
import { plainText, run } from '../../../model.ts'
import { readRuby } from '../../../read/html/ruby.ts'
import { type Look, runXml } from '../look.ts'
import { TEXT_SIZE } from '../parts/styles.ts'
import type { DocxContext, OpenNote } from './context.ts'

/** Writes text of the book, without the number at the start of a note. */
export function writeText(text: string, { story, note, look, frame }: DocxContext): void {
  const shown = note?.isAtStart && text.trim() !== '' ? withoutMark(text, note) : text
  story.text(shown, look, frame)
}

/** The first words of a note without its number, since Word numbers notes itself. */
function withoutMark(text: string, note: OpenNote): string {
  if (/^[[(\])\s.:]+$/.test(text)) return ''
  note.isAtStart = false
  const [, mark = '', rest = ''] = /^[\s[(]*([\p{L}\p{N}*†‡§¶]{0,4})[\])]?[.:)]?\s*(.*)$/su.exec(text) ?? []
  return mark !== '' && note.marks.has(mark) ? rest : text.replace(/^[\s.:)\]]+/, '')
}

/** Writes a formula; one that Word does not support becomes text. */
export function writeFormula(math: XmlElement, { writing, story, look, frame }: DocxContext): void {
  const equation = readMathml(math)
  if (!equation) {
    const plainText = math.attributes.alttext ?? textOf(math).replace(/\s+/g, ' ').trim()
    if (plainText !== '') writing.lostFormulas += 1
    story.text(plainText, look, frame)
    return
  }
  const formula = `<m:oMath>${ommlOf(equation)}</m:oMath>`
  const isDisplayed = math.attributes.display === 'block'
  story.inline(isDisplayed ? `<m:oMathPara>${formula}</m:oMathPara>` : formula, frame)
}

/** Text with its reading above it: ECMA-376, part 1, 17.3.3.25. */
export function rubyXml(ruby: XmlElement, look: Look, style: string, language: string): string {
  const size = Math.round(TEXT_SIZE * look.scale)
  const own = (text: string, scale: number) =>
    `<w:r>${runXml({ ...look, scale: look.scale * scale, link: undefined }, style, text)}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
  const id = escapeXml(look.language ?? language)
  const words = (children: XmlElement['children']) => {
    const text = children.map(child => (typeof child === 'string' ? child : textOf(child))).join('')
    const flat = text.replace(/\s+/g, ' ').trim()
    return flat === '' ? [] : [run(flat)]
  }
  return readRuby(ruby, words)
    .map(({ base: content, reading }) => {
      const base = plainText(content)
      return reading === ''
        ? own(base, 1)
        : `<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="distributeSpace"/><w:hps w:val="${Math.round(size / 2)}"/><w:hpsRaise w:val="${size - 2}"/><w:hpsBaseText w:val="${size}"/><w:lid w:val="${id}"/></w:rubyPr><w:rt>${own(reading, 0.5)}</w:rt><w:rubyBase>${own(base, 1)}</w:rubyBase></w:ruby></w:r>`
    })
    .join('')
}
