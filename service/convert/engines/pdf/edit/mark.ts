/** Marks places of pages, as with a text marker. */
import type { PDFPage } from '@cantoo/pdf-lib'
import type { Rectangle } from '../../common/rectangle.ts'
import { asArtifact, drawOver, numbers, uprightOf } from './stamp.ts'

/** What is marked: words that are gone, in red; new ones, in green; and what differs to the eye, with a blue frame. */
export interface Mark {
  kind: 'removed' | 'added' | 'look'
  /** In points of the page as displayed, from its lower left corner. */
  box: Rectangle
}

const LOOKS = { removed: '1 .6 .6 rg', added: '.6 1 .6 rg', look: '.1 .3 1 RG 1 w' }

export function markPage(page: PDFPage, marks: readonly Mark[]): void {
  if (marks.length === 0) return
  const { context } = page.doc
  // What is below stays legible.
  const state = page.node.newExtGState('Mark', context.obj({ Type: 'ExtGState', BM: 'Multiply' }))
  const { upright } = uprightOf(page)
  const drawn = marks.map(
    ({ kind, box: { x, y, width, height } }) =>
      `${LOOKS[kind]} ${numbers([x, y, width, height])} re ${kind === 'look' ? 'S' : 'f'}`,
  )
  drawOver(page, asArtifact(`q ${numbers(upright)} cm ${state} gs ${drawn.join(' ')} Q`))
}
