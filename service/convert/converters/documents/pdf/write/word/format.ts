/** Formats of Word's paragraphs, from how they stand on the page of the PDF. */
import {
  AlignmentType,
  BorderStyle,
  type IParagraphOptions,
  LineRuleType,
  Paragraph,
  ShadingType,
} from 'docx'
import type { BlockPosition, TextDocument } from '../../layout/model.ts'

/** Twentieths of a point. */
const TWIPS = 20
export const CODE_FONT = 'Courier New'

/** What the parts of a Word document have in common while it is written. */
export interface WordContext {
  document: TextDocument
  /** Word's number of each footnote. */
  footnotes: Map<string, number>
  /** Start numbers of ordered lists, each of which is numbered separately. */
  ordered: number[]
  /** Points between the margins. */
  width: number
  height: number
}

export const twips = (points: number) => Math.round(points * TWIPS)

const ALIGNMENTS = {
  left: AlignmentType.START,
  center: AlignmentType.CENTER,
  right: AlignmentType.END,
  justify: AlignmentType.BOTH,
} as const

export const hex = (colour: number) => colour.toString(16).padStart(6, '0')

/** Format of a paragraph as it stands on its page. */
export function formatOf(place: BlockPosition | undefined): Partial<IParagraphOptions> {
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

/** An empty line of this height. */
export const spacer = (points: number) =>
  new Paragraph({
    spacing: {
      before: twips(Math.max(0, points - 1)),
      after: 0,
      line: TWIPS,
      lineRule: LineRuleType.EXACT,
    },
  })

/** A line without height that breaks a page or a column. */
export const breaking = (how: IParagraphOptions) =>
  new Paragraph({ ...how, spacing: { line: 1, lineRule: LineRuleType.EXACT, before: 0, after: 0 } })
