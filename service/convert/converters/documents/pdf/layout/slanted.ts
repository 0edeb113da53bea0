/** Text at other angles than quarter turns, without watermarks. */
import type { PageContent } from '../../../../engines/pdf-content/types.ts'
import type { SlantedDraft } from './drafts.ts'
import { linesOf } from './lines.ts'
import { groupLines } from './paragraphs.ts'

/** The slanted paragraphs of each page, but those that recur on most pages; on a page without other text all of them. */
export function slantedParagraphs(pages: readonly PageContent[]): Map<number, SlantedDraft[]> {
  const found = pages.map(page => ({
    page,
    drafts: page.slanted.flatMap(text => draftsOf(text, page.index)),
  }))
  const uses = new Map<string, number>()
  for (const { drafts } of found)
    for (const words of new Set(drafts.map(wordsIn))) uses.set(words, (uses.get(words) ?? 0) + 1)
  const isWatermark = (draft: SlantedDraft) =>
    pages.length > 1 && uses.get(wordsIn(draft))! * 2 > pages.length
  return new Map(
    found.map(({ page, drafts }) => [
      page.index,
      page.text.length + page.turned.length === 0 ? drafts : drafts.filter(draft => !isWatermark(draft)),
    ]),
  )
}

function draftsOf(text: PageContent['text'], page: number): SlantedDraft[] {
  const lines = linesOf(text.filter(item => !item.artefact).map((item, order) => ({ ...item, order })))
  const [left, right] = [Math.min(...lines.map(line => line.x)), Math.max(...lines.map(line => line.right))]
  return groupLines(lines, left, right).map(group => ({ kind: 'slanted', lines: group.lines, page }))
}

const wordsIn = ({ lines }: SlantedDraft) =>
  lines.flatMap(line => line.words.map(word => word.text)).join(' ')
