import { Document, HeadingLevel, type IParagraphOptions, Packer, Paragraph, TextRun } from 'docx'
import { isRightToLeftLanguage } from '../../../engines/common/language/tag.ts'
import { type DocumentOptions, documentOf, HEADING, type Line, leadOf } from './document.ts'
import type { Transcript } from './transcript.ts'

/** Sizes in half points, distances in twentieths of a point. */
const SMALL = 18
const GAP = 120

/** Word document (docx) of a tidy transcript: headings and paragraphs in the reader's own styles. */
export async function writeWord(transcript: Transcript, options: DocumentOptions): Promise<Uint8Array> {
  const { title, language, facts, notices, lines } = documentOf(transcript, options)
  const rightToLeft = isRightToLeftLanguage(language)
  const run = (text: string, style: { bold?: boolean; italics?: boolean; size?: number } = {}) =>
    new TextRun({ text, rightToLeft, ...style })
  const paragraph = (children: TextRun[], style: IParagraphOptions = {}) =>
    new Paragraph({ children, bidirectional: rightToLeft, spacing: { after: GAP }, ...style })
  const content = (line: Line) => {
    const lead = leadOf(line)
    return [...(lead ? [run(`${lead} `, { bold: true })] : []), run(line.text)]
  }
  const document = new Document({
    title,
    creator: 'Refile',
    description: 'Transcript',
    styles: {
      default: {
        document: {
          run: {
            size: 22,
            ...(language === 'und'
              ? {}
              : { language: rightToLeft ? { bidirectional: language } : { value: language } }),
          },
        },
      },
    },
    sections: [
      {
        children: [
          paragraph([run(title)], { heading: HeadingLevel.TITLE }),
          ...facts.map(([label, value]) =>
            paragraph([run(`${label}: `, { bold: true }), run(value)], { spacing: { after: 0 } }),
          ),
          ...notices.map(notice =>
            paragraph([run(notice, { italics: true, size: SMALL })], { spacing: { before: GAP } }),
          ),
          paragraph([run(HEADING)], { heading: HeadingLevel.HEADING_1 }),
          ...lines.map(line => paragraph(content(line))),
        ],
      },
    ],
  })
  return new Uint8Array(await Packer.toBuffer(document))
}
