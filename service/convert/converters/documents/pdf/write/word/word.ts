import {
  AlignmentType,
  convertInchesToTwip,
  Document,
  type INumberingOptions,
  LevelFormat,
  Packer,
  Paragraph,
} from 'docx'
import type { TextDocument } from '../../layout/model.ts'
import { LEVELS } from './blocks.ts'
import type { WordContext } from './format.ts'
import { runs } from './runs.ts'
import { sectionsOf } from './sections.ts'

const MARGIN_POINTS = 64
const LARGEST_PAGE_POINTS = 1584
const SMALLEST_PAGE_POINTS = 200

/** Writes a document as a Word file (docx). */
export async function writeWord(document: TextDocument): Promise<Uint8Array> {
  const [pageWidth, pageHeight] = [pageEdge(document.pageWidth), pageEdge(document.pageHeight)]
  const margin = Math.min(MARGIN_POINTS, pageWidth / 8)
  const context: WordContext = {
    document,
    footnotes: new Map([...document.footnotes.keys()].map((key, index) => [key, index + 1])),
    ordered: [],
    width: pageWidth - 2 * margin,
    height: pageHeight - 2 * margin,
  }
  const sections = sectionsOf(document, context, { pageWidth, pageHeight, margin })
  const footnotes = Object.fromEntries(
    [...document.footnotes].map(([key, content]) => [
      context.footnotes.get(key)!,
      { children: [new Paragraph({ children: runs(content, context) })] },
    ]),
  )
  const file = new Document({
    title: document.title,
    creator: document.author || 'Refile',
    styles: {
      default: {
        document: {
          run: { font: 'Calibri', size: 22, ...languageOf(document) },
          paragraph: { spacing: { after: 120, line: 264 } },
        },
        heading1: heading(34),
        heading2: heading(28),
        heading3: heading(25),
        heading4: heading(23),
        heading5: heading(22),
        heading6: heading(22),
      },
    },
    numbering: { config: numbering(context.ordered) },
    footnotes,
    sections,
  })
  return new Uint8Array(await Packer.toBuffer(file))
}

const pageEdge = (points: number) => Math.max(SMALLEST_PAGE_POINTS, Math.min(LARGEST_PAGE_POINTS, points))

const heading = (size: number) => ({
  run: { size, bold: true, font: 'Calibri' },
  paragraph: { spacing: { before: 240, after: 100 }, keepNext: true },
})

const languageOf = ({ language, rightToLeft }: TextDocument) =>
  language === '' ? {} : { language: rightToLeft ? { bidirectional: language } : { value: language } }

function numbering(ordered: readonly number[]): INumberingOptions['config'] {
  const indent = (level: number) => ({
    paragraph: {
      indent: { left: convertInchesToTwip(0.25 * (level + 1)), hanging: convertInchesToTwip(0.25) },
    },
  })
  const levels = Array.from({ length: LEVELS }, (_, level) => level)
  return [
    {
      reference: 'bullets',
      levels: levels.map(level => ({
        level,
        format: LevelFormat.BULLET,
        text: ['•', '◦', '▪'][level % 3]!,
        alignment: AlignmentType.START,
        style: indent(level),
      })),
    },
    ...ordered.map((start, index) => ({
      reference: `numbers-${index}`,
      levels: levels.map(level => ({
        level,
        format: LevelFormat.DECIMAL,
        text: `%${level + 1}.`,
        start,
        alignment: AlignmentType.START,
        style: indent(level),
      })),
    })),
  ]
}
