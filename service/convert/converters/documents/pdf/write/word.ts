/** Writes a document as a Word file (docx). */
import {
  AlignmentType,
  BorderStyle,
  convertInchesToTwip,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  type INumberingOptions,
  type IRunOptions,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  VerticalMergeType,
  WidthType,
} from 'docx'
import type { Block, List, PictureBlock, Span, Table as TableBlock, TextDocument } from '../layout/model.ts'
import { isRightToLeft } from '../layout/script.ts'

/** Twentieths of a point. */
const TWIPS = 20
/** Screen pixels per point; the package measures pictures in pixels. */
const PIXELS = 96 / 72
const MARGIN_POINTS = 64
const LARGEST_PAGE_POINTS = 1584
const SMALLEST_PAGE_POINTS = 200

const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const

const CODE_FONT = 'Courier New'
const LEVELS = 9

interface Context {
  document: TextDocument
  /** Word's number of each footnote. */
  footnotes: Map<string, number>
  /** Start numbers of ordered lists, each of which is numbered separately. */
  ordered: number[]
  /** Points between the margins. */
  width: number
  height: number
}

export async function writeWord(document: TextDocument): Promise<Uint8Array> {
  const [pageWidth, pageHeight] = [pageEdge(document.pageWidth), pageEdge(document.pageHeight)]
  const margin = Math.min(MARGIN_POINTS, pageWidth / 8)
  const context: Context = {
    document,
    footnotes: new Map([...document.footnotes.keys()].map((key, index) => [key, index + 1])),
    ordered: [],
    width: pageWidth - 2 * margin,
    height: pageHeight - 2 * margin,
  }
  const children = document.blocks.flatMap(block => blockOf(block, context, 0))
  const footnotes = Object.fromEntries(
    [...document.footnotes].map(([key, content]) => [
      context.footnotes.get(key)!,
      { children: [new Paragraph({ children: runs(content, context) })] },
    ]),
  )
  const twips = (points: number) => Math.round(points * TWIPS)
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
    sections: [
      {
        properties: {
          page: {
            size: { width: twips(pageWidth), height: twips(pageHeight) },
            margin: { top: twips(margin), bottom: twips(margin), left: twips(margin), right: twips(margin) },
          },
        },
        children: children.length > 0 ? children : [new Paragraph({})],
      },
    ],
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

function blockOf(block: Block, context: Context, level: number): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading':
      return [
        new Paragraph({
          heading: HEADINGS[block.level - 1]!,
          children: runs(block.content, context),
          ...direction(block.content),
        }),
      ]
    case 'paragraph':
      return [
        new Paragraph({
          children: runs(block.content, context),
          ...direction(block.content),
          ...(level > 0 && { indent: { left: convertInchesToTwip(0.25 * level) } }),
        }),
      ]
    case 'list':
      return listOf(block, context, level)
    case 'table':
      // Word joins adjacent tables without anything between them.
      return [tableOf(block, context), new Paragraph({ spacing: { after: 60 } })]
    case 'code':
      return codeOf(block.text)
    case 'picture':
      return pictureOf(block, context)
  }
}

const direction = (content: readonly Span[]) =>
  isRightToLeft(content.map(({ text }) => text).join('')) ? { bidirectional: true } : {}

function listOf({ ordered, start, items }: List, context: Context, level: number): (Paragraph | Table)[] {
  const reference = ordered ? `numbers-${context.ordered.push(start) - 1}` : 'bullets'
  return items.flatMap(({ content, blocks }) => [
    new Paragraph({
      children: runs(content, context),
      numbering: { reference, level: Math.min(level, LEVELS - 1) },
      spacing: { after: 40 },
      ...direction(content),
    }),
    ...blocks.flatMap(block => blockOf(block, context, level + 1)),
  ])
}

const EDGE = { style: BorderStyle.SINGLE, size: 4, color: 'A0A0A0' } as const
const BORDERS = {
  top: EDGE,
  bottom: EDGE,
  left: EDGE,
  right: EDGE,
  insideHorizontal: EDGE,
  insideVertical: EDGE,
}

function tableOf({ rows, headerRows }: TableBlock, context: Context): Table {
  const columns = Math.max(...rows.map(row => row.length))
  // Cells that continue from the row above are written again, as continuations.
  const goesOn: number[] = Array.from({ length: columns }, () => 0)
  const spans: number[] = Array.from({ length: columns }, () => 1)
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: Array.from({ length: columns }, () => Math.round((context.width * TWIPS) / columns)),
    borders: BORDERS,
    margins: { left: 80, right: 80, top: 30, bottom: 30 },
    rows: rows.map((row, index) => {
      const isHeader = index < headerRows
      const cells: TableCell[] = []
      for (let column = 0; column < columns; ) {
        const cell = row[column]
        if (!cell && goesOn[column]! > 0) {
          const across = spans[column]!
          goesOn[column]! -= 1
          cells.push(
            new TableCell({
              children: [new Paragraph({})],
              columnSpan: across,
              verticalMerge: VerticalMergeType.CONTINUE,
            }),
          )
          column += across
          continue
        }
        const across = Math.max(1, Math.min(cell?.columns ?? 1, columns - column))
        if (cell && cell.rows > 1) {
          goesOn[column] = cell.rows - 1
          spans[column] = across
        }
        const content = cell?.content ?? []
        cells.push(
          new TableCell({
            columnSpan: across,
            ...(cell && cell.rows > 1 && { verticalMerge: VerticalMergeType.RESTART }),
            ...(isHeader && { shading: { type: ShadingType.CLEAR, fill: 'EFEFEF' } }),
            children: [
              new Paragraph({
                children: runs(content, context, isHeader ? { bold: true } : {}),
                spacing: { after: 0 },
                ...direction(content),
              }),
            ],
          }),
        )
        column += across
      }
      return new TableRow({ children: cells, tableHeader: isHeader })
    }),
  })
}

function codeOf(text: string): Paragraph[] {
  const lines = text.split('\n')
  return [
    new Paragraph({
      children: lines.map(
        (line, index) =>
          new TextRun({ text: line, font: CODE_FONT, size: 18, ...(index > 0 && { break: 1 }) }),
      ),
      shading: { type: ShadingType.CLEAR, fill: 'F4F4F4' },
    }),
  ]
}

function pictureOf({ picture, width, height, alternative }: PictureBlock, context: Context): Paragraph[] {
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
  return [new Paragraph({ children: [image] })]
}

function runs(content: readonly Span[], context: Context, look: IRunOptions = {}): ParagraphChild[] {
  return content.map(span => {
    const note = span.footnote === undefined ? undefined : context.footnotes.get(span.footnote)
    if (note !== undefined) return new FootnoteReferenceRun(note)
    const run = new TextRun({
      text: span.text,
      ...(span.bold && { bold: true }),
      ...(span.italic && { italics: true }),
      ...(span.code && { font: CODE_FONT }),
      ...(span.superscript && { superScript: true }),
      ...(span.subscript && { subScript: true }),
      ...(isRightToLeft(span.text) && { rightToLeft: true }),
      ...(span.link && { style: 'Hyperlink' }),
      ...look,
    })
    return span.link === undefined ? run : new ExternalHyperlink({ link: span.link, children: [run] })
  })
}
