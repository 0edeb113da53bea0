/** Writes a document as a Word file (docx). */
import {
  AlignmentType,
  BorderStyle,
  Column,
  ColumnBreak,
  convertInchesToTwip,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  HeightRule,
  ImageRun,
  type INumberingOptions,
  type IParagraphOptions,
  type IRunOptions,
  type ISectionOptions,
  LevelFormat,
  LineRuleType,
  Packer,
  Paragraph,
  type ParagraphChild,
  SectionType,
  ShadingType,
  Table,
  TableBorders,
  TableCell,
  TableRow,
  TextRun,
  VerticalAlignTable,
  VerticalMergeType,
  WidthType,
} from 'docx'
import type {
  Band,
  Block,
  Code,
  List,
  PictureBlock,
  Place,
  Span,
  Table as TableBlock,
  TextDocument,
} from '../layout/model.ts'
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

const twips = (points: number) => Math.round(points * TWIPS)

/** Least margins, and room at the foot of pages for text that becomes longer than it was, in points. */
const LEAST_MARGIN = 18
const SLACK = 24

/** Sections of the document: blocks in the same columns, or all blocks if their places are not known. */
function sectionsOf(
  { blocks, textArea }: TextDocument,
  context: Context,
  { pageWidth, pageHeight, margin }: { pageWidth: number; pageHeight: number; margin: number },
): ISectionOptions[] {
  const size = { width: twips(pageWidth), height: twips(pageHeight) }
  const area = textArea && textArea.width > 0 ? textArea : undefined
  const top = area ? Math.max(LEAST_MARGIN, Math.min(area.y, pageHeight / 3)) : margin
  const bottom = area
    ? Math.max(LEAST_MARGIN, Math.min(margin, pageHeight - area.y - area.height - SLACK))
    : margin
  const groups: { band: Band | undefined; place: Place | undefined; blocks: Block[] }[] = []
  for (const block of blocks) {
    const place = placeOf(block)
    const last = groups.at(-1)
    const goesOn = last && (!place || !last.band || isSameBand(last.band, place.band))
    if (goesOn) last.blocks.push(block)
    else groups.push({ band: place?.band, place, blocks: [block] })
  }
  if (groups.length === 0) groups.push({ band: undefined, place: undefined, blocks: [] })
  let page = groups[0]!.place?.page
  return groups.map(({ band, blocks: own }, index) => {
    const columns = band?.columns ?? []
    const [left, right] = columns.length > 0 ? [columns[0]!.left, columns.at(-1)!.right] : []
    const onNewPage = index > 0 && pageOf(own[0]) !== undefined && pageOf(own[0]) !== page
    if (columns.length > 0 && left !== undefined && right !== undefined) context.width = right - left
    let column = 0
    let isFirst = true
    const children = own.flatMap(block => {
      const place = placeOf(block)
      const turns = !isFirst && place !== undefined && page !== undefined && place.page !== page
      const breaks = !isFirst && !turns && place !== undefined && place.column > column
      page = place?.page ?? page
      column = place?.column ?? column
      isFirst = false
      const made = blockOf(block, context, 0)
      if (breaks)
        return [
          new Paragraph({
            children: [new ColumnBreak()],
            spacing: { line: 1, lineRule: LineRuleType.EXACT, before: 0, after: 0 },
          }),
          ...made,
        ]
      return turns ? [pageBreak(), ...made] : made
    })
    return {
      properties: {
        type: index === 0 || onNewPage ? SectionType.NEXT_PAGE : SectionType.CONTINUOUS,
        page: {
          size,
          margin: {
            top: twips(top),
            bottom: twips(bottom),
            header: 0,
            footer: 0,
            left: twips(left === undefined ? margin : Math.max(0, left)),
            right: twips(right === undefined ? margin : Math.max(0, pageWidth - right)),
          },
        },
        ...(columns.length > 1 && { column: columnsOf(columns) }),
      },
      children: children.length > 0 ? children : [new Paragraph({})],
    }
  })
}

const pageBreak = () =>
  new Paragraph({
    pageBreakBefore: true,
    spacing: { line: 1, lineRule: LineRuleType.EXACT, before: 0, after: 0 },
  })

const placeOf = (block: Block) => (block.kind === 'list' ? block.items[0]?.place : block.place)
const pageOf = (block: Block | undefined) => block && placeOf(block)?.page

/** Columns that differ by so little are the same, in points. */
const SAME_COLUMN = 6

const isSameBand = (one: Band, other: Band) =>
  one === other ||
  (one.columns.length === other.columns.length &&
    one.columns.length === 1 &&
    one.columns.every(
      ({ left, right }, index) =>
        Math.abs(left - other.columns[index]!.left) < SAME_COLUMN &&
        Math.abs(right - other.columns[index]!.right) < SAME_COLUMN,
    ))

const columnsOf = (columns: Band['columns']) => ({
  count: columns.length,
  equalWidth: false,
  children: columns.map(
    ({ left, right }, index) =>
      new Column({
        width: twips(right - left),
        ...(columns[index + 1] && { space: twips(Math.max(0, columns[index + 1]!.left - right)) }),
      }),
  ),
})

const ALIGNMENTS = {
  left: AlignmentType.START,
  center: AlignmentType.CENTER,
  right: AlignmentType.END,
  justify: AlignmentType.BOTH,
} as const

const hex = (colour: number) => colour.toString(16).padStart(6, '0')

/** Format of a paragraph as it stands on its page. */
function formatOf(place: Place | undefined): Partial<IParagraphOptions> {
  if (!place) return {}
  const { align, left, right, first, before, pitch, box } = place
  const edge = (space: number) =>
    ({
      style: BorderStyle.SINGLE,
      size: 2,
      color: hex(box!.colour),
      space: Math.max(0, Math.min(31, Math.round(space))),
    }) as const
  return {
    alignment: ALIGNMENTS[align],
    ...(box && {
      shading: { type: ShadingType.CLEAR, fill: hex(box.colour) },
      border: { top: edge(box.top), bottom: edge(box.bottom), left: edge(box.left), right: edge(4) },
    }),
    indent: {
      left: twips(left),
      right: twips(right),
      ...(first < 0 ? { hanging: twips(-first) } : { firstLine: twips(first) }),
    },
    spacing: {
      before: twips(Math.min(before, 700)),
      after: 0,
      ...(pitch > 0 && { line: Math.max(20, twips(pitch)), lineRule: LineRuleType.EXACT }),
    },
  }
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
      return [
        ...(block.place ? [spacer(block.place.before)] : []),
        tableOf(block, context),
        block.place ? spacer(0) : new Paragraph({ spacing: { after: 60 } }),
      ]
    case 'code':
      return codeOf(block)
    case 'picture':
      return pictureOf(block, context)
  }
}

/** An empty line of this height. */
const spacer = (points: number) =>
  new Paragraph({
    spacing: {
      before: twips(Math.max(0, points - 1)),
      after: 0,
      line: TWIPS,
      lineRule: LineRuleType.EXACT,
    },
  })

const direction = (content: readonly Span[]) =>
  isRightToLeft(content.map(({ text }) => text).join('')) ? { bidirectional: true } : {}

function listOf({ ordered, start, items }: List, context: Context, level: number): (Paragraph | Table)[] {
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

const EDGE = { style: BorderStyle.SINGLE, size: 4, color: 'A0A0A0' } as const
const BORDERS = {
  top: EDGE,
  bottom: EDGE,
  left: EDGE,
  right: EDGE,
  insideHorizontal: EDGE,
  insideVertical: EDGE,
}

function tableOf(
  { rows, headerRows, place, width, widths, heights, ruled }: TableBlock,
  context: Context,
): Table {
  const columns = Math.max(...rows.map(row => row.length))
  // Cells that continue from the row above are written again, as continuations.
  const goesOn: number[] = Array.from({ length: columns }, () => 0)
  const spans: number[] = Array.from({ length: columns }, () => 1)
  return new Table({
    width:
      width === undefined
        ? { size: 100, type: WidthType.PERCENTAGE }
        : { size: twips(width), type: WidthType.DXA },
    ...(place && { indent: { size: twips(place.left), type: WidthType.DXA } }),
    columnWidths: (widths ?? Array.from({ length: columns }, () => (width ?? context.width) / columns)).map(
      twips,
    ),
    borders: place && !ruled ? TableBorders.NONE : BORDERS,
    margins: place
      ? { left: 40, right: 20, top: 0, bottom: 0 }
      : { left: 80, right: 80, top: 30, bottom: 30 },
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
            ...(widths && {
              width: {
                size: twips(widths.slice(column, column + across).reduce((sum, part) => sum + part, 0)),
                type: WidthType.DXA,
              },
            }),
            ...(cell && cell.rows > 1 && { verticalMerge: VerticalMergeType.RESTART }),
            ...(isHeader && !place && { shading: { type: ShadingType.CLEAR, fill: 'EFEFEF' } }),
            ...(cell?.fill !== undefined && { shading: { type: ShadingType.CLEAR, fill: hex(cell.fill) } }),
            ...(heights && { verticalAlign: VerticalAlignTable.CENTER }),
            children: [
              new Paragraph({
                children: runs(content, context, isHeader && !place ? { bold: true } : {}),
                spacing: { after: 0, ...(place && { line: 240, lineRule: LineRuleType.AUTO }) },
                ...direction(content),
              }),
            ],
          }),
        )
        column += across
      }
      return new TableRow({
        children: cells,
        tableHeader: isHeader,
        ...(heights && { height: { value: twips(heights[index]!), rule: HeightRule.ATLEAST } }),
      })
    }),
  })
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
            size: place ? Math.max(8, Math.round((place.pitch / 1.17) * 2)) : 18,
            ...(index > 0 && { break: 1 }),
          }),
      ),
      ...(place ? formatOf(place) : { shading: { type: ShadingType.CLEAR, fill: 'F4F4F4' } }),
    }),
  ]
}

function pictureOf(
  { picture, width, height, alternative, place }: PictureBlock,
  context: Context,
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

function lookOf({ look, superscript, subscript }: Span): IRunOptions {
  if (!look) return {}
  const { size, colour, family } = look
  return {
    // Word makes raised and lowered letters smaller itself.
    ...(!superscript && !subscript && { size: Math.max(2, Math.round(size * 2)) }),
    font: family,
    ...(colour !== 0 && { color: hex(colour) }),
  }
}

function runs(content: readonly Span[], context: Context, look: IRunOptions = {}): ParagraphChild[] {
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
