import type { CubicContour, QuadraticOutline } from './contours.ts'

/** A contour, and the shifts of its points in several regions. */
export interface VariableContour extends CubicContour {
  /** As `points`, for each region. */
  moves: number[][]
}

/**
 * Converts a TrueType outline to cubic contours with exactly the same curves. Their direction is reversed, as CFF
 * requires. Contours with a single point, which some fonts use as anchors, draw nothing and are left out.
 * @param regions numbers of the regions whose changes are needed
 */
export function toCubic(outline: QuadraticOutline, regions: readonly number[]): VariableContour[] {
  const variants = [outline, ...regions.map(region => outline.moves.get(region)!)]
  const contours: VariableContour[] = []
  let start = 0
  for (const end of outline.ends) {
    if (end > start) {
      const { segments, steps } = trace(outline.onCurve, start, end)
      const [points, ...moves] = variants.map(({ xs, ys }) => follow(steps, xs, ys))
      contours.push({ segments, points: points!, moves })
    }
    start = end + 1
  }
  return contours
}

/** A point of the cubic contour as a weighted mean of points of the quadratic one: point numbers and weights. */
type Mix = readonly (readonly [point: number, share: number])[]

/** The segments of a contour in reverse, and its points as weighted means, which are the same for all variants. */
function trace(onCurve: readonly number[], start: number, end: number): { segments: number[]; steps: Mix[] } {
  const count = end - start + 1
  const first = firstOnCurve(onCurve, start, end)
  // Point `i` of the contour in reverse from the first one.
  const at = (i: number) => start + (((((first ?? end) - start - i) % count) + count) % count)
  const half = (a: number, b: number): Mix => [
    [a, 0.5],
    [b, 0.5],
  ]
  // Without an on-curve point it starts halfway between two control points.
  const origin: Mix = first === undefined ? half(at(0), at(-1)) : [[at(0), 1]]
  const steps: Mix[] = [origin]
  const segments: number[] = []
  const isOn = (i: number) => onCurve[at(i)] === 1
  let from = origin
  const last = first === undefined ? count - 1 : count
  for (let i = first === undefined ? 0 : 1; i <= last; i++) {
    if (isOn(i)) {
      from = [[at(i), 1]]
      segments.push(1)
      steps.push(from)
      continue
    }
    const control = at(i)
    let to: Mix
    if (i === last && first === undefined) to = origin
    else if (isOn(i + 1)) to = [[at(++i), 1]]
    else to = half(control, at(i + 1))
    segments.push(3)
    steps.push(towards(from, control), towards(to, control), to)
    from = to
  }
  return { segments, steps }
}

function firstOnCurve(onCurve: readonly number[], start: number, end: number): number | undefined {
  for (let i = start; i <= end; i++) if (onCurve[i] === 1) return i
  return undefined
}

/** Two thirds of the way from an end of the curve to its control point. */
const towards = (end: Mix, control: number): Mix => [
  ...end.map(([point, share]) => [point, share / 3] as const),
  [control, 2 / 3],
]

function follow(steps: readonly Mix[], xs: ArrayLike<number>, ys: ArrayLike<number>): number[] {
  const points: number[] = []
  for (const mix of steps) {
    let [x, y] = [0, 0]
    for (const [point, share] of mix) {
      x += xs[point]! * share
      y += ys[point]! * share
    }
    points.push(x, y)
  }
  return points
}
