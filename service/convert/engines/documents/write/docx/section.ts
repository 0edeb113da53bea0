/** Pages and columns: ECMA-376, part 1, 17.6. */
import type { Section } from '../../model.ts'
import type { Page } from './writing.ts'

export type SectionLook = Omit<Section, 'blocks'>

/** Twentieths of a point between the edge of the page and its heads and feet, of which there are none. */
const HEAD = 720

const twips = (points: number) => Math.round(points * 20)

/** Space between the margins, in twentieths of a point. */
export const roomOf = ({ width, height, margins }: SectionLook): Page => ({
  width: twips(width - margins.left - margins.right),
  height: twips(height - margins.top - margins.bottom),
})

/** @param direction XML that says how its text runs */
export function sectionXml(
  { width, height, margins, columns = [], startsPage }: SectionLook,
  direction: string,
): string {
  const sides = (['top', 'right', 'bottom', 'left'] as const).map(
    side => `w:${side}="${twips(margins[side])}"`,
  )
  const own = columns.map(column => `<w:col w:w="${twips(column.width)}" w:space="${twips(column.space)}"/>`)
  return [
    `<w:sectPr>${startsPage ? '' : '<w:type w:val="continuous"/>'}`,
    `<w:pgSz w:w="${twips(width)}" w:h="${twips(height)}"/>`,
    `<w:pgMar ${sides.join(' ')} w:header="${Math.min(HEAD, twips(margins.top))}" w:footer="${Math.min(HEAD, twips(margins.bottom))}" w:gutter="0"/>`,
    own.length > 0 ? `<w:cols w:num="${own.length}" w:equalWidth="0">${own.join('')}</w:cols>` : '',
    `${direction}</w:sectPr>`,
  ].join('')
}
