/** A closed contour of lines and cubic curves. */
export interface CubicContour {
  /** Of each segment: 1 for a line, 3 for a curve; the number of its points. */
  segments: number[]
  /** x and y of the start, then of the points of each segment. */
  points: number[]
}

/**
 * Quadratic contours as TrueType has them: control points without a point on the curve between them have one halfway.
 * A variable outline has, besides, by how much its points move in each region of the design space.
 */
export interface QuadraticOutline {
  /** Index of the last point of each contour. */
  ends: number[]
  /** 1 for a point on the curve, 0 for a control point. */
  onCurve: number[]
  xs: number[]
  ys: number[]
  /** By number of a region. */
  moves: Map<number, Moves>
}

/** By how much each point of an outline moves. */
export interface Moves {
  xs: Float64Array
  ys: Float64Array
}
