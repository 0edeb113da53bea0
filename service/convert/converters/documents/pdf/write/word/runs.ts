/** Texts within a paragraph as Word's runs. */
import { ExternalHyperlink, FootnoteReferenceRun, type IRunOptions, type ParagraphChild, TextRun } from 'docx'
import { isRightToLeft } from '../../../../../engines/common/language/script.ts'
import type { TextSpan } from '../../layout/model.ts'
import { CODE_FONT, hex, type WordContext } from './format.ts'

export const direction = (content: readonly TextSpan[]) =>
  isRightToLeft(content.map(({ text }) => text).join('')) ? { bidirectional: true } : {}

function lookOf({ look, superscript, subscript }: TextSpan): IRunOptions {
  if (!look) return {}
  const { size, colour, family } = look
  return {
    // Word makes raised and lowered letters smaller itself.
    ...(!superscript && !subscript && { size: Math.max(2, Math.round(size * 2)) }),
    font: family,
    ...(colour !== 0 && { color: hex(colour) }),
  }
}

export function runs(
  content: readonly TextSpan[],
  context: WordContext,
  look: IRunOptions = {},
): ParagraphChild[] {
  return content.map(span => {
    const note = span.footnote === undefined ? undefined : context.footnotes.get(span.footnote)
    if (note !== undefined) return new FootnoteReferenceRun(note)
    if (span.text === '\n') return new TextRun({ break: 1 })
    const run = new TextRun({
      text: span.text,
      ...(span.bold && { bold: true }),
      ...(span.italic && { italics: true }),
      ...(span.code && { font: CODE_FONT }),
      ...(span.superscript && { superScript: true }),
      ...(span.subscript && { subScript: true }),
      ...(isRightToLeft(span.text) && { rightToLeft: true }),
      ...(span.link && { style: 'Hyperlink' }),
      ...(span.look && lookOf(span)),
      ...look,
    })
    return span.link === undefined ? run : new ExternalHyperlink({ link: span.link, children: [run] })
  })
}
