/** Groups the lines of a column: paragraphs, headings, list entries, blocks of code. */
import { startsList } from './content.ts'
import { type Line, spansOf, textOf } from './lines.ts'
import { CAPTION, markerAt } from './markers.ts'

export interface TextGroup {
  lines: Line[]
  size: number
  bold: boolean
  monospace: boolean
  /** Edges of its column. */
  left: number
  right: number
  /** Whether its last line is full, so that it may continue elsewhere. */
  open: boolean
  /** Whether its first line is indented. */
  indented: boolean
  /** Space above it, as a share of its size; infinite for the first one. */
  gapAbove: number
}

export const isBold = ({ words }: Line): boolean =>
  words.every(({ font, text }) => font.bold || !/[\p{L}\p{N}]/u.test(text))
export const isMonospace = ({ words }: Line): boolean => words.every(({ font }) => font.monospace)

/** Maximum difference of line sizes within one paragraph. */
const SIZE_TOLERANCE = 0.07
/** Lines of different paragraphs are further apart than usual by this factor. */
const PITCH_TOLERANCE = 1.22
/** Lines of code are at most this far apart, with or without a blank line between them. */
const CODE_PITCH = 3.3
/** A line that is alone on its page or in its column is short up to this multiple of its size. */
const SHORT_LINE = 25
/** First lines are indented by at least this share of the size. */
const INDENT = 0.7

/** Groups the lines of a column between `left` and `right`. */
export function groupLines(lines: readonly Line[], left: number, right: number): TextGroup[] {
  const column: Column = {
    left,
    right,
    pitch: usualPitch(lines),
    indentOf: line => (line.rightToLeft ? right - line.right : line.x - left),
    roomAfter: line => (line.rightToLeft ? line.x - left : right - line.right),
  }
  const groups: TextGroup[] = []
  let current: TextGroup | undefined
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const gap = before ? (line.baseline - before.baseline) / line.size : Number.POSITIVE_INFINITY
    if (current && before && continuesParagraph(current, before, line, lines[index + 1], column)) {
      current.lines.push(line)
      continue
    }
    current = {
      lines: [line],
      size: line.size,
      bold: isBold(line),
      monospace: isMonospace(line),
      left,
      right,
      open: false,
      indented: column.indentOf(line) > line.size * INDENT,
      gapAbove: gap,
    }
    groups.push(current)
  }
  for (const group of groups) {
    const last = group.lines.at(-1)!
    // A single short line does not show how wide its column is.
    const isWide = lines.length > 1 || right - left > last.size * SHORT_LINE
    group.open = isWide && column.roomAfter(last) < Math.max(last.size * 2, (right - left) * 0.1)
    group.bold = group.lines.every(isBold)
    group.monospace = group.lines.every(isMonospace)
  }
  return groups
}

/** Line pitch within paragraphs by size, as a multiple of the size. */
function usualPitch(lines: readonly Line[]): (size: number) => number {
  const pitches = new Map<number, number[]>()
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1]
    if (!next || Math.abs(next.size - line.size) > line.size * SIZE_TOLERANCE) continue
    const pitch = (next.baseline - line.baseline) / line.size
    if (pitch < 0.8 || pitch > 2.6) continue
    const key = Math.round(line.size)
    const found = pitches.get(key)
    if (found) found.push(pitch)
    else pitches.set(key, [pitch])
  }
  return size => {
    const found = pitches.get(Math.round(size))
    if (!found) return 1.35
    // Most lines follow a line of their own paragraph; the lower quartile is also right if paragraphs are short.
    found.sort((one, other) => one - other)
    return found[Math.floor(found.length * 0.3)]!
  }
}

/** Whether a line starts a footnote: with a small superscript mark. */
export function startsNote({ words, size, baseline }: Line): boolean {
  const [mark, next] = words
  return (
    mark !== undefined &&
    next !== undefined &&
    mark.size < size * 0.85 &&
    mark.baseline < baseline - size * 0.1 &&
    NOTE_MARK.test(mark.text)
  )
}

const NOTE_MARK = /^(\d{1,3}|[*†‡§¶]{1,3}|[a-z])$/

interface Column {
  left: number
  right: number
  pitch: (size: number) => number
  /** Space before and after a line, at the start and the end in its writing direction. */
  indentOf: (line: Line) => number
  roomAfter: (line: Line) => number
}

function continuesParagraph(
  group: TextGroup,
  before: Line,
  line: Line,
  after: Line | undefined,
  column: Column,
): boolean {
  const { left, right, pitch, indentOf, roomAfter } = column
  const { size } = line
  if (Math.abs(size - before.size) > size * SIZE_TOLERANCE) return false
  const distance = line.baseline - before.baseline
  const code = isMonospace(line)
  if (code !== isMonospace(before)) return false
  // Code keeps its lines, including a blank line between them.
  if (code && group.monospace) return distance < size * CODE_PITCH
  const [last, lastBut] = [group.lines.at(-1)!, group.lines.at(-2)]
  const own = lastBut ? last.baseline - lastBut.baseline : 0
  if (distance > Math.max(pitch(size) * size, own) * PITCH_TOLERANCE + 0.5) return false
  // Parts of one line side by side, for example at its two ends.
  if (distance < size * 0.5) return true
  if (isBold(line) !== isBold(before) && (group.bold || (isBold(line) && isBold(after ?? line)))) return false
  if (startsNote(line) || before.leaders) return false
  if (CAPTION.test(textOf(line)) && SENTENCE_END.test(textOf(before))) return false
  if (startsList(line) && !isWithinEntry(group, before, line, right)) return false
  const first = group.lines[0]!
  if (startsList(first)) {
    // The continuation of an entry is below its text, not below its marker.
    const text = first.words[1]!.x
    return line.x > first.x + size * 0.4 || Math.abs(line.x - text) < size || roomAfter(before) < size * 2
  }
  const indent = indentOf(line)
  const indentBefore = indentOf(before)
  const centred = isCentred(before, left, right) && isCentred(line, left, right)
  if (!centred && indent > size * INDENT && indentBefore < size * 0.3) return false
  // Hanging indent: every line but the first of each paragraph is indented.
  if (!centred && indent < size * 0.3 && indentBefore > size * INDENT && group.lines.length > 1) return false
  if (centred) return true
  return !wouldFit(before, line, column)
}

const isCentred = (line: Line, left: number, right: number) =>
  Math.abs(line.x - left - (right - line.right)) < line.size && line.x - left > line.size * 2

/** Whether a number is at the start of a line by coincidence: the line before is full, and the entry continues. */
const isWithinEntry = (group: TextGroup, before: Line, line: Line, right: number) => {
  const first = group.lines[0]!
  return (
    markerAt(line)!.ordered &&
    before.right > right - line.size * 2 &&
    (!startsList(first) || Math.abs(line.x - first.words[1]!.x) < line.size * 0.3) &&
    line.x - group.left > (startsList(first) ? line.size * 0.4 : -1)
  )
}

const SENTENCE_END = /[.!?:;。！？：；।؟]["'”’»)\]]?$/u

/** Whether the first word of a line would have fitted at the end of the line before, so that the break was deliberate. */
function wouldFit(before: Line, line: Line, { roomAfter }: Column): boolean {
  const { size } = line
  const first = spansOf(line)[0]?.text.split(' ')[0] ?? ''
  const width = (line.words.find(word => first.startsWith(word.text)) ?? line.words[0]!).width
  const room = roomAfter(before) - size * 0.3
  if (width >= room) return false
  const ended = SENTENCE_END.test(textOf(before))
  if (!ended && /^\p{Ll}/u.test(first)) return false
  return ended ? width < room - size * 0.5 : room > width + size * 3
}
