export interface Size {
  width: number
  height: number
}

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
