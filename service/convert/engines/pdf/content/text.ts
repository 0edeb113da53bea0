import { identity, type Matrix } from '../../common/matrix.ts'
import { type Handle, pdfium } from '../pdfium/library.ts'
import { withAccents } from './accents.ts'
import { turn, type View } from './geometry.ts'
import { readCharacters } from './placed-characters.ts'
import { slantedTexts } from './slanted.ts'
import type { TextItem, WrongFonts } from './types.ts'
import { withColumns } from './vertical.ts'
import { wordsOf } from './words.ts'

export interface PageText {
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
