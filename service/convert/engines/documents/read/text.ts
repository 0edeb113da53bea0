/** Reads plain text as structured text. */
import { directionOf } from '../../common/language/script.ts'
import { type Block, type Document, documentWith, type Inline, paragraphOf, run } from '../model.ts'
import { plainText } from './decode.ts'

/** A text whose lines are shorter is not wrapped: its lines end where its author ended them. */
const LEAST_WIDTH = 50
/** Share of the lines that are at most as long as those of a wrapped text get. */
const USUAL = 0.95

/** A line such as "Chapter IV: The lake". */
const CHAPTER =
  /^(?:chapter|part|book|kapitel|teil|chapitre|partie|cap[ií]tulo|parte|capitolo|hoofdstuk|глава|часть)\s+(?:\d+|[ivxlc]+)\b.{0,80}$|^第[\d一二三四五六七八九十百]+[章回部].{0,80}$/iu

/**
 * Paragraphs are apart by empty lines, or are lines if there are none. Lines that were only broken because no further word fitted
 * are joined; columns that are aligned by spaces or tabs stay as they are.
 * @throws JobFailure corrupt_input if it is not text
 */
export function readText(bytes: Uint8Array): Document {
  const lines = plainText(bytes)
    .replaceAll('\f', '\n\n')
    .split('\n')
    .map(line => line.trimEnd())
  const hasGaps = /\S\n\n+\S/.test(lines.join('\n'))
  const width = usualWidth(lines)
  const blocks: Block[] = []
  let open: string[] = []
  const close = () => {
    if (open.length > 0) blocks.push(blockOf(open, width))
    open = []
  }
  for (const line of lines) {
    if (line === '' || !hasGaps) close()
    if (line !== '') open.push(line)
  }
  close()
  return documentWith({ blocks })
}

function usualWidth(lines: readonly string[]): number {
  const lengths = lines.flatMap(line => (line === '' ? [] : line.length)).toSorted((a, b) => a - b)
  return lengths[Math.floor((lengths.length - 1) * USUAL)] ?? 0
}

const isAligned = (line: string) => /\S(?: {3,}|\t)\S/.test(line)

function blockOf(lines: readonly string[], width: number): Block {
  if (lines.length > 1 && lines.filter(isAligned).length > lines.length / 2)
    return { kind: 'code', text: lines.join('\n') }
  const words = lines.map(line => line.trim())
  if (words.length === 1 && CHAPTER.test(words[0]!))
    return { kind: 'heading', level: 1, content: [run(words[0]!)] }
  const isWrapped =
    width >= LEAST_WIDTH &&
    words.slice(1).every((next, index) => lines[index]!.length + 1 + next.search(/\s|$/) > width)
  const content = isWrapped
    ? [run(words.join(' '))]
    : words.flatMap((line, index): Inline[] => [
        ...(index > 0 ? [{ kind: 'break' as const }] : []),
        run(line),
      ])
  return paragraphOf(content, { rightToLeft: directionOf(words[0]!) === 'rtl' })
}
