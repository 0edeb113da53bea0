/** A closed contour of lines and cubic curves. */
export interface CubicContour {
  /** The number of points in each segment: 1 for a line, 3 for a curve. */
  segments: number[]
  /** x and y of the start, then of the points of each segment. */
  points: number[]
}

/** Quadratic contours as in TrueType: consecutive control points imply a point on the curve halfway between them. */
export interface QuadraticOutline {
  /** Index of the last point of each contour. */
  ends: number[]
  /** 1 for a point on the curve, 0 for a control point. */
  onCurve: number[]
  xs: number[]
  ys: number[]
}
