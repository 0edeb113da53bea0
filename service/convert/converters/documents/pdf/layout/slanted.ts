/** Text at other angles than quarter turns, without watermarks. */
import type { PageContent } from '../../../../engines/pdf/content/types.ts'
import type { SlantedDraft } from './drafts.ts'
import { edgesOf, linesOf } from './lines.ts'
import { groupLines } from './paragraphs.ts'

/** The slanted paragraphs of each page, but those that recur on most pages; on a page without other text all of them. */
export function slantedParagraphs(pages: readonly PageContent[]): Map<number, SlantedDraft[]> {
  const found = pages.map(page => page.slanted.flatMap(text => draftsOf(text, page.index)))
  const uses = Map.groupBy(
    found.flatMap(drafts => [...new Set(drafts.map(wordsIn))]),
    words => words,
  )
  const isWatermark = (draft: SlantedDraft) =>
    pages.length > 1 && uses.get(wordsIn(draft))!.length * 2 > pages.length
  return new Map(
    pages.map(({ index, text, turned }, i) => [
      index,
      found[i]!.filter(draft => text.length + turned.length === 0 || !isWatermark(draft)),
    ]),
  )
}

function draftsOf(text: PageContent['text'], page: number): SlantedDraft[] {
  const lines = linesOf(text.filter(item => !item.artefact).map((item, order) => ({ ...item, order })))
  const { left, right } = edgesOf(lines)
  return groupLines(lines, left, right).map(group => ({ kind: 'slanted', lines: group.lines, page }))
}

const wordsIn = ({ lines }: SlantedDraft) =>
  lines.flatMap(line => line.words.map(word => word.text)).join(' ')
