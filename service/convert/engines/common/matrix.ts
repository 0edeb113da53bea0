/** Maps x, y to a x + c y + e, b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Where a matrix puts a point. */
export const apply = ([a, b, c, d, e, f]: Matrix, x: number, y: number): [x: number, y: number] => [
  a * x + c * y + e,
  b * x + d * y + f,
]

/** Applies `first`, then `second`. */
export const multiply = (first: Matrix, second: Matrix): Matrix => [
  first[0] * second[0] + first[1] * second[2],
  first[0] * second[1] + first[1] * second[3],
  first[2] * second[0] + first[3] * second[2],
  first[2] * second[1] + first[3] * second[3],
  first[4] * second[0] + first[5] * second[2] + second[4],
  first[4] * second[1] + first[5] * second[3] + second[5],
]

/** The way back; that of a matrix which has none leads nowhere useful. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const scale = 1 / (a * d - b * c || 1)
  return [d * scale, -b * scale, -c * scale, a * scale, (c * f - d * e) * scale, (b * e - a * f) * scale]
}
