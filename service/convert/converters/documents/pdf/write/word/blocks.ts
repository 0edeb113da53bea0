/** Blocks of the document as Word's paragraphs and tables. */
import { convertInchesToTwip, HeadingLevel, ImageRun, Paragraph, type Table, TextRun } from 'docx'
import type { Block, Code, List, PictureBlock } from '../../layout/model.ts'
import { CODE_FONT, formatOf, spacer, type WordContext } from './format.ts'
import { direction, runs } from './runs.ts'
import { tableOf } from './table.ts'

/** Screen pixels per point; the package measures pictures in pixels. */
const PIXELS = 96 / 72
export const LEVELS = 9

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const

export function blockOf(block: Block, context: WordContext, level: number): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading':
      return [
        new Paragraph({
          heading: HEADINGS[block.level - 1]!,
          children: runs(block.content, context, block.place ? { bold: block.place.bold } : {}),
          ...formatOf(block.place),
          ...direction(block.content),
        }),
      ]
    case 'paragraph':
      return [
        new Paragraph({
          children: runs(block.content, context),
          ...formatOf(block.place),
          ...direction(block.content),
          ...(level > 0 && !block.place && { indent: { left: convertInchesToTwip(0.25 * level) } }),
        }),
      ]
    case 'list':
      return listOf(block, context, level)
    case 'table':
      // Word joins adjacent tables without anything between them.
      return [spacer(block.place?.before ?? 0), tableOf(block, context), spacer(0)]
    case 'code':
      return codeOf(block)
    case 'picture':
      return pictureOf(block, context)
  }
}

function listOf({ ordered, start, items }: List, context: WordContext, level: number): (Paragraph | Table)[] {
  const reference = ordered ? `numbers-${context.ordered.push(start) - 1}` : 'bullets'
  return items.flatMap(({ content, blocks, place }) => [
    new Paragraph({
      children: runs(content, context),
      numbering: { reference, level: Math.min(level, LEVELS - 1) },
      spacing: { after: 40 },
      ...formatOf(place),
      ...direction(content),
    }),
    ...blocks.flatMap(block => blockOf(block, context, level + 1)),
  ])
}

function codeOf({ text, place }: Code): Paragraph[] {
  const lines = text.split('\n')
  return [
    new Paragraph({
      children: lines.map(
        (line, index) =>
          new TextRun({
            text: line,
            font: CODE_FONT,
            size: Math.max(8, Math.round(((place?.pitch ?? 0) / 1.17) * 2)),
            ...(index > 0 && { break: 1 }),
          }),
      ),
      ...formatOf(place),
    }),
  ]
}

function pictureOf(
  { picture, width, height, alternative, place }: PictureBlock,
  context: WordContext,
): Paragraph[] {
  const found = context.document.pictures[picture]
  if (!found) return []
  const scale = Math.min(1, context.width / width, context.height / height)
  const pixels = (points: number) => Math.max(1, Math.round(points * scale * PIXELS))
  const image = new ImageRun({
    type: found.type,
    data: found.data,
    transformation: { width: pixels(width), height: pixels(height) },
    altText: { name: `Picture ${picture + 1}`, title: '', description: alternative },
  })
  return [new Paragraph({ children: [image], ...formatOf(place) })]
}
