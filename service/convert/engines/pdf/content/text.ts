import { apply, identity, type Matrix, multiply } from '../../common/matrix.ts'
import { type Handle, pdfium } from '../pdfium/library.ts'
import { withAccents } from './accents.ts'
import { turn, type View } from './geometry.ts'
import { type Character, type Look, readCharacters } from './placed-characters.ts'
import type { TextItem, WrongFonts } from './types.ts'
import { withColumns } from './vertical.ts'
import { wordsOf } from './words.ts'

/**
 * Words at other angles than quarter turns, such as slanted table headings, stamps and labels of charts, for each direction in whole
 * degrees, as if the page were rotated to make them level.
 */
function slantedTexts(characters: readonly Character[], view: View): TextItem[][] {
  const byAngle = Map.groupBy(characters, ({ look }) => Math.round(look.degrees))
  return [...byAngle].map(([degrees, letters]) => {
    const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
    const matrix = multiply(view.matrix, [cos, -sin, sin, cos, 0, 0])
    const levelled = new Map<Look, Look>()
    const level = letters.map((character): Character => {
      const { left, bottom, right, top, origin, look: own } = character
      const [x, y] = apply(matrix, own.x, own.y)
      const look = levelled.get(own) ?? { ...own, x, y }
      levelled.set(own, look)
      const { size } = own
      const [start, base] = apply(matrix, (origin ?? own).x, (origin ?? own).y)
      // The centre of a letter's box stays in place when the box is rotated; its width is at most 1.5 times its size.
      const half = apply(matrix, (left + right) / 2, (bottom + top) / 2)[0] - start
      const width = Math.min(Math.max(half * 2, 0.1), size * 1.5)
      return { ...character, look, left: start, right: start + width, top: base - size, bottom: base }
    })
    return wordsOf(level, { width: 0, height: 0, matrix: identity })
  })
}

interface PageText {
  /** The page, rotated so that most of its text is upright. */
  view: View
  /** Maps the page as displayed to that view. */
  turn: Matrix
  text: TextItem[]
  turned: { width: number; height: number; text: TextItem[] }[]
  slanted: TextItem[][]
  unmapped: number
  wrong: WrongFonts
  /** Whether it is rotated only because it is written in columns. */
  vertical: boolean
}

/** Words of a page in content order. */
export function readText(page: Handle, shown: View): PageText {
  const library = pdfium()
  const text = library.loadText(page)
  if (!text) {
    const nothing = { text: [], turned: [], slanted: [], unmapped: 0, wrong: new Map(), vertical: false }
    return { view: shown, turn: identity, ...nothing }
  }
  try {
    const { characters: found, unmapped, wrong } = readCharacters(text, shown.matrix)
    const { characters, vertical } = withColumns(withAccents(found), shown)
    const counts = [0, 0, 0, 0]
    for (const { look } of characters) if (!look.slanted) counts[look.quarters]! += 1
    const main = counts.indexOf(Math.max(...counts))
    const views = counts.map((_, quarters) => turn(shown, -quarters))
    const itemsOf = (quarters: number) =>
      wordsOf(
        characters.filter(({ look }) => look.quarters === quarters && !look.slanted),
        views[quarters]!,
      )
    return {
      view: views[main]!,
      turn: turn({ ...shown, matrix: identity }, -main).matrix,
      text: itemsOf(main),
      turned: [0, 1, 2, 3]
        .filter(quarters => quarters !== main && counts[quarters]! > 0)
        .map(quarters => ({
          width: views[quarters]!.width,
          height: views[quarters]!.height,
          text: itemsOf(quarters),
        })),
      slanted: slantedTexts(
        characters.filter(({ look }) => look.slanted),
        shown,
      ),
      unmapped,
      wrong,
      vertical: vertical && main === 1,
    }
  } finally {
    library.closeText(text)
  }
}
