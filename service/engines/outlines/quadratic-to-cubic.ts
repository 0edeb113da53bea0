import type { CubicContour, QuadraticOutline } from './contours.ts'

/** A contour, and by how much its points move in each of some regions. */
export interface VariableContour extends CubicContour {
  /** As `points`, for each region. */
  moves: number[][]
}

/**
 * Makes cubic contours of an outline of TrueType, which are the same curves. They turn the other way round, as CFF has it.
 * Contours of one point, which some fonts have as anchors, draw nothing and are left out.
 * @param regions numbers of the regions whose changes are wanted
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

/** A point of the cubic contour as a mix of points of the quadratic one: numbers of points, and the share of each. */
type Mix = readonly (readonly [point: number, share: number])[]

/** The segments of a contour, backwards, and its points as mixes; what is done with them is the same for all variants. */
function trace(onCurve: readonly number[], start: number, end: number): { segments: number[]; steps: Mix[] } {
  const count = end - start + 1
  const first = firstOnCurve(onCurve, start, end)
  // Point `i` of the walk, backwards from the first one.
  const at = (i: number) => start + (((((first ?? end) - start - i) % count) + count) % count)
  const half = (a: number, b: number): Mix => [
    [a, 0.5],
    [b, 0.5],
  ]
  // Without a point on the curve it begins halfway between two control points.
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
