/** Text at other angles than quarter turns, such as slanted table headings, stamps and labels of charts. */
import { identity, type Matrix } from '../formats/matrix.ts'
import { mapped, type View } from './geometry.ts'
import type { Character, Look } from './placed-characters.ts'
import type { TextItem } from './types.ts'
import { wordsOf } from './words.ts'

/** Maximum width of a letter as a share of its size. */
const MAX_WIDTH = 1.5

/** Words of slanted characters for each direction in whole degrees, as if the page were rotated to make them level. */
export function slantedTexts(characters: readonly Character[], view: View): TextItem[][] {
  const byAngle = Map.groupBy(characters, ({ look }) => Math.round(look.degrees))
  return [...byAngle].map(([degrees, letters]) => {
    const angle = (degrees * Math.PI) / 180
    const looks = new Map<Look, Look>()
    const level = letters.map((character): Character => {
      const { left, bottom, right, top, origin, look: own } = character
      const box = mapped(view.matrix, left, bottom, right, top)
      const start = placeOf(origin ?? own, view.matrix)
      // The centre of a letter's box stays in place when the box is rotated.
      const toCentre = {
        x: box.x + box.width / 2 - start.x,
        y: box.y + box.height / 2 - start.y,
      }
      const half = turned(toCentre, angle).x
      const from = turned(start, angle)
      const base = turned(placeOf(own, view.matrix), angle)
      const look = looks.get(own) ?? { ...own, ...base }
      looks.set(own, look)
      const width = Math.min(Math.max(half * 2, 0.1), own.size * MAX_WIDTH)
      return {
        ...character,
        look,
        left: from.x,
        right: from.x + width,
        top: from.y - own.size,
        bottom: from.y,
      }
    })
    return wordsOf(level, { width: 0, height: 0, matrix: identity })
  })
}

const placeOf = ({ x, y }: { x: number; y: number }, [a, b, c, d, e, f]: Matrix) => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
})

const turned = ({ x, y }: { x: number; y: number }, angle: number) => ({
  x: x * Math.cos(angle) + y * Math.sin(angle),
  y: y * Math.cos(angle) - x * Math.sin(angle),
})
