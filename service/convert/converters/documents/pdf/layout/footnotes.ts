import { running, type Vocabulary } from './content.ts'
import type { Draft, PageDraft, TextDraft } from './drafts.ts'
import { type Line, lineOf } from './lines.ts'
import { plainText, type TextSpan } from './model.ts'
import { startsNote } from './paragraphs.ts'

/** Footnotes are set smaller than the text by this share at least. */
const SMALLER = 0.97
/** They are in the lower part of a page. */
const LOWER_PART = 0.35

export interface Notes {
  /** Text by the key of the note. */
  texts: Map<string, TextSpan[]>
  /** Key by page and mark. */
  keys: Map<string, string>
}

export const markKey = (page: number, mark: string): string => `${page} ${mark}`

/** Removes the footnotes from the regions of pages. Those without a reference on their page stay where they are. */
export function takeFootnotes(pages: readonly PageDraft[], bodySize: number, vocabulary: Vocabulary): Notes {
  const notes: Notes = { texts: new Map(), keys: new Map() }
  for (const page of pages) {
    const marks = marksOf(page)
    for (const region of page.regions) {
      let last: string | undefined
      for (let index = 0; index < region.length; ) {
        const draft = region[index]!
        const mark =
          draft.kind === 'text' && isNote(draft, page, bodySize) ? draft.lines[0]!.words[0]!.text : undefined
        const key = mark === undefined ? undefined : markKey(page.index, mark)
        if (key !== undefined && marks.has(mark!) && !notes.keys.has(key)) {
          last = String(notes.texts.size + 1)
          notes.keys.set(key, last)
          notes.texts.set(last, noteText(draft as TextDraft, vocabulary))
          region.splice(index, 1)
        } else if (
          last !== undefined &&
          draft.kind === 'text' &&
          draft.size < bodySize * SMALLER &&
          !startsNote(draft.lines[0]!)
        ) {
          // A further paragraph of the same note.
          notes.texts.get(last)!.push({ text: ' ' }, ...running(draft.lines, vocabulary))
          region.splice(index, 1)
        } else {
          last = undefined
          index += 1
        }
      }
    }
  }
  return notes
}

function isNote({ lines, size }: TextDraft, { height }: PageDraft, bodySize: number): boolean {
  const first = lines[0]!
  return startsNote(first) && size < bodySize * SMALLER && first.baseline > height * LOWER_PART
}

/** Superscript marks within the text of a page. */
function marksOf({ regions }: PageDraft): Set<string> {
  const marks = new Set<string>()
  const add = (line: Line) => {
    for (const [index, word] of line.words.entries()) {
      const raised = word.size < line.size * 0.82 && word.baseline < line.baseline - line.size * 0.1
      if (raised && (index > 0 || !startsNote(line))) marks.add(word.text)
    }
  }
  const addSpans = (content: readonly TextSpan[]) => {
    for (const { text, superscript } of content) if (superscript) marks.add(text.trim())
  }
  for (const draft of regions.flat() as Draft[]) {
    if (draft.kind === 'text') for (const line of draft.lines) add(line)
    if (draft.kind === 'table') for (const cell of draft.table.rows.flat()) if (cell) addSpans(cell.content)
  }
  return marks
}

function noteText({ lines }: TextDraft, vocabulary: Vocabulary): TextSpan[] {
  const [first, ...rest] = lines as [Line, ...Line[]]
  return running([lineOf(first.words.slice(1)), ...rest], vocabulary)
}

/** Turns the superscript marks of a text into references to the footnotes of its page. */
export function withReferences(content: readonly TextSpan[], page: number, { keys }: Notes): TextSpan[] {
  return content.map(span => {
    if (!span.superscript) return span
    const key = keys.get(markKey(page, plainText([span]).trim()))
    if (key === undefined) return span
    return { text: span.text.trim(), footnote: key }
  })
}
