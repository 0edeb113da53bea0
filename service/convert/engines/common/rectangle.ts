export interface Size {
  width: number
  height: number
}

/** A size in whole pixels, at least one in each direction. */
export const scaledSize = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
})

/** A place and its size. */
export interface Rectangle extends Size {
  x: number
  y: number
}

/** What several places cover together; undefined without any. */
export function unionOf(places: readonly Rectangle[]): Rectangle | undefined {
  if (places.length === 0) return undefined
  const x = Math.min(...places.map(place => place.x))
  const y = Math.min(...places.map(place => place.y))
  const right = Math.max(...places.map(place => place.x + place.width))
  const bottom = Math.max(...places.map(place => place.y + place.height))
  return { x, y, width: right - x, height: bottom - y }
}

export const overlap = (one: Rectangle, other: Rectangle): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** A place with some room on all sides. */
export const around = ({ x, y, width, height }: Rectangle, by: number): Rectangle => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** A place by its edges. */
export interface Edges {
  left: number
  top: number
  right: number
  bottom: number
}
