/** Cuts, turns and mirrors a picture. */
import type { Size } from '../common/rectangle.ts'
import type { Sharp } from './sharp/load.ts'

export interface Area extends Size {
  left: number
  top: number
}

/** What is done one after the other: `t` exchanges rows and columns, `x` mirrors left to right, `y` top to bottom. */
export type Moves = string

/** What makes a picture upright, by its EXIF orientation from 1 to 8. */
export const UPRIGHT: readonly Moves[] = ['', '', 'x', 'xy', 'y', 't', 'tx', 'txy', 'ty']

/** The area of the picture before moves that is `area` after them; `size` is the whole picture's after them. */
export function areaBefore(area: Area, size: Size, moves: Moves): Area {
  let [{ left, top, width, height }, whole] = [area, size]
  for (const move of [...moves].reverse()) {
    if (move === 'x') left = whole.width - left - width
    else if (move === 'y') top = whole.height - top - height
    else {
      ;[left, top, width, height] = [top, left, height, width]
      whole = { width: whole.height, height: whole.width }
    }
  }
  return { left, top, width, height }
}

/** Moves as one exchange at most, and then one mirroring at most along each side. */
export function inOne(moves: Moves): { t: boolean; x: boolean; y: boolean } {
  let [t, x, y] = [false, false, false]
  for (const move of moves) {
    if (move === 't') [t, x, y] = [!t, y, x]
    else if (move === 'x') x = !x
    else y = !y
  }
  return { t, x, y }
}

/** The picture that sharp makes of one. It mirrors before it turns. */
export function moved(picture: Sharp, moves: Moves): Sharp {
  const { t, x, y } = inOne(moves)
  return picture
    .flip(t ? !x : y)
    .flop(t ? y : x)
    .rotate(t ? 90 : 0)
}
