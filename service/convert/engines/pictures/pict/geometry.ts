import type { ByteReader } from '../../common/byte-reader.ts'
import type { Edges } from '../../common/rectangle.ts'

/** QuickDraw rectangle: edges between pixels, right and bottom outside. */
export type Rect = Edges

export interface Point {
  x: number
  y: number
}

export const widthOf = (rect: Rect): number => rect.right - rect.left
export const heightOf = (rect: Rect): number => rect.bottom - rect.top
export const isEmpty = (rect: Rect): boolean => rect.right <= rect.left || rect.bottom <= rect.top

export function readRect(reader: ByteReader): Rect {
  return { top: reader.i16(), left: reader.i16(), bottom: reader.i16(), right: reader.i16() }
}

/** Points are stored vertical first. */
export function readPoint(reader: ByteReader): Point {
  const y = reader.i16()
  return { x: reader.i16(), y }
}
