/** Text at other angles than quarter turns, such as slanted table headings, stamps and labels of charts. */
import { apply, identity, multiply } from '../../common/matrix.ts'
import type { View } from './geometry.ts'
import type { Character, Look } from './placed-characters.ts'
import type { TextItem } from './types.ts'
import { wordsOf } from './words.ts'

/** Words of slanted characters for each direction in whole degrees, as if the page were rotated to make them level. */
export function slantedTexts(characters: readonly Character[], view: View): TextItem[][] {
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
