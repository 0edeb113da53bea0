import type { DocxContext, OpenNote } from './context.ts'

/** Writes text of the book, without the number at the start of a note. */
export function writeText(text: string, { story, note, look, frame }: DocxContext): void {
  const shown = note?.isAtStart && text.trim() !== '' ? withoutMark(text, note) : text
  story.text(shown, look, frame)
}

/** The first words of a note without its number, since Word numbers notes itself. */
function withoutMark(text: string, note: OpenNote): string {
  if (/^[[(\])\s.:]+$/.test(text)) return ''
  note.isAtStart = false
  const [, mark = '', rest = ''] = /^[\s[(]*([\p{L}\p{N}*†‡§¶]{0,4})[\])]?[.:)]?\s*(.*)$/su.exec(text) ?? []
  return mark !== '' && note.marks.has(mark) ? rest : text.replace(/^[\s.:)\]]+/, '')
}
