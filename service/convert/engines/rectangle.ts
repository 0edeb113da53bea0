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

/** A place by its edges. */
export interface Edges {
  left: number
  top: number
  right: number
  bottom: number
}
