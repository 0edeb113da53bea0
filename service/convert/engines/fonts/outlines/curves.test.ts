/** Curves of one kind made into the other, compared point by point. */
import { expect, test } from 'vitest'
import { Path } from './cff/charstring-path.ts'
import { OperandStack } from './cff/operand-stack.ts'
import type { CubicContour, QuadraticOutline } from './contours.ts'
import { toQuadratic } from './cubic-to-quadratic.ts'
import { toCubic } from './quadratic-to-cubic.ts'

type Point = [x: number, y: number]
const STEPS = 24

const mean = (share: number, [a, b]: Point, [c, d]: Point): Point => [
  a + (c - a) * share,
  b + (d - b) * share,
]

/** A point of a curve of any degree, by de Casteljau's construction. */
const pointOf = (controls: Point[], share: number): Point =>
  controls.length === 1
    ? controls[0]!
    : pointOf(
        controls.slice(1).map((to, at) => mean(share, controls[at]!, to)),
        share,
      )

const sampled = (curves: Point[][]): Point[] =>
  curves.flatMap(controls => Array.from({ length: STEPS }, (_, at) => pointOf(controls, at / STEPS)))

function cubicCurves({ segments, points }: CubicContour): Point[][] {
  const all = Array.from(
    { length: points.length / 2 },
    (_, at): Point => [points[2 * at]!, points[2 * at + 1]!],
  )
  let at = 0
  return segments.map(count => {
    const curve = all.slice(at, at + count + 1)
    at += count
    return curve
  })
}

function quadraticCurves({ xs, ys, onCurve }: QuadraticOutline, from: number, to: number): Point[][] {
  const count = to - from + 1
  const at = (index: number): Point => [xs[from + (index % count)]!, ys[from + (index % count)]!]
  const isOn = (index: number) => onCurve[from + (index % count)] === 1
  const curves: Point[][] = []
  // Without a point on the curve it begins halfway between two control points.
  const first = Array.from({ length: count }, (_, index) => index).find(isOn)
  let start = first === undefined ? mean(0.5, at(count - 1), at(0)) : at(first)
  const begin = first === undefined ? 0 : first + 1
  for (let index = begin; index < begin + count; index++) {
    if (isOn(index)) curves.push([start, at(index)])
    else {
      const end = isOn(index + 1) ? at(index + 1) : mean(0.5, at(index), at(index + 1))
      curves.push([start, at(index), end])
      if (isOn(index + 1)) index++
    }
    start = curves.at(-1)!.at(-1)!
  }
  return curves
}

const distance = ([a, b]: Point, [c, d]: Point) => Math.hypot(a - c, b - d)

/** How far the points of one line are from the other at most. */
const apart = (one: Point[], other: Point[]) =>
  Math.max(...one.map(point => Math.min(...other.map(each => distance(point, each)))))

/** Twice the signed area within points. */
const area = (points: Point[]) =>
  points.reduce((sum, [x, y], at) => {
    const [a, b] = points[(at + 1) % points.length]!
    return sum + x * b - a * y
  }, 0)

const outline = (points: [x: number, y: number, on: number][]): QuadraticOutline => ({
  ends: [points.length - 1],
  xs: points.map(([x]) => x),
  ys: points.map(([, y]) => y),
  onCurve: points.map(([, , on]) => on),
})

const drop: [number, number, number][] = [
  [0, 0, 1],
  [400, 0, 0],
  [400, 300, 0],
  [0, 300, 1],
  [-100, 150, 0],
]

test('a TrueType contour becomes the same curves, in the other direction', () => {
  const source = outline(drop)
  const [contour] = toCubic(source)
  const [before, after] = [sampled(quadraticCurves(source, 0, 4)), sampled(cubicCurves(contour!))]
  expect(apart(before, after)).toBeLessThan(12)
  expect(area(after) / area(before)).toBeCloseTo(-1, 6)
  // Every point of one curve lies on the other: the points at its ends and its middle.
  const middles = cubicCurves(contour!).map(curve => pointOf(curve, 0.5))
  for (const curve of quadraticCurves(source, 0, 4))
    expect(Math.min(...middles.map(point => distance(point, pointOf(curve, 0.5))))).toBeLessThan(1e-9)
})

test('a contour of control points alone begins halfway between two of them', () => {
  const [contour] = toCubic(
    outline([
      [0, 0, 0],
      [100, 0, 0],
      [100, 100, 0],
      [0, 100, 0],
    ]),
  )
  expect(contour!.segments).toEqual([3, 3, 3, 3])
  const points = sampled(cubicCurves(contour!))
  // Between the circle within the square and the square without corners, quadratic arcs are 50 to 53 from the middle.
  for (const point of points) expect(Math.abs(distance(point, [50, 50]) - 51.5)).toBeLessThan(1.6)
})

test('a contour of one point, as an anchor, is left out', () => {
  expect(toCubic(outline([[5, 5, 1]]))).toEqual([])
})

test('a cubic contour becomes TrueType curves within the tolerance, in whole units', () => {
  const r = 552.285
  const circle: CubicContour = {
    segments: [3, 3, 3, 3],
    points: [
      ...[1000, 0, 1000, r, r, 1000, 0, 1000, -r, 1000, -1000, r, -1000, 0],
      ...[-1000, -r, -r, -1000, 0, -1000, r, -1000, 1000, -r, 1000, 0],
    ],
  }
  const made = toQuadratic([circle], 1)
  expect([...made.xs, ...made.ys].every(Number.isInteger)).toBe(true)
  const points = sampled(quadraticCurves(made, 0, made.ends[0]!))
  for (const point of points) expect(Math.abs(distance(point, [0, 0]) - 1000)).toBeLessThan(1.5)
  expect(area(points)).toBeLessThan(0)
  expect(area(sampled(cubicCurves(circle)))).toBeGreaterThan(0)
  // Fewer points where less is asked of them.
  expect(toQuadratic([circle], 20).xs.length).toBeLessThan(made.xs.length)
})

test('a glyph program that calculates is refused, one with an old hint is not', () => {
  const [add, dotsection] = [10, 0]
  expect(() => new Path().drawFlex(add, new OperandStack())).toThrow(
    expect.objectContaining({ code: 'jobs.unsupported_input' }),
  )
  expect(() => new Path().drawFlex(dotsection, new OperandStack())).not.toThrow()
})
