/** How the notes of Markdown are marked up as HTML. */
import type { RendererRule, Token } from 'markdown-it'

/** A list of them with links there and back; a list without links back; or as LibreOffice reads notes at the foot of a page. */
export type NoteStyle = 'linked' | 'listed' | 'footnotes'

const numberOf = (list: Token[], at: number) => (list[at]!.meta as { id: number }).id + 1
const nothing = () => ''

export const noteRules: Record<NoteStyle, Record<string, RendererRule>> = {
  linked: {},
  listed: { footnote_anchor: nothing },
  // LibreOffice knows its own web pages by these names.
  footnotes: {
    footnote_ref: (list, at) => {
      const number = numberOf(list, at)
      const mark = `<sup>${number}</sup>`
      // A note stands at its first mark.
      if ((list[at]!.meta as { subId: number }).subId > 0) return mark
      return `<a class="sdfootnoteanc" name="sdfootnote${number}anc" href="#sdfootnote${number}sym">${mark}</a>`
    },
    footnote_block_open: nothing,
    footnote_open: (list, at) => `<div id="sdfootnote${numberOf(list, at)}">`,
    footnote_anchor: nothing,
    footnote_close: () => '</div>\n',
    footnote_block_close: nothing,
  },
}

/** Whether a note has a note, which pages have no place for. */
export const hasNotesInNotes = (tokens: readonly Token[]): boolean => {
  const start = tokens.findIndex(({ type }) => type === 'footnote_block_open')
  return start >= 0 && tokens.slice(start).some(({ children }) => children?.some(isMark))
}

const isMark = ({ type }: Token) => type === 'footnote_ref'
