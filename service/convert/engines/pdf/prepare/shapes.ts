/** Operators of content streams for simple shapes, in the coordinates of the page. */

import { DamagedFile } from '../../common/damage.ts'
import { ownValue } from '../../common/own-value.ts'

export type Point = readonly [x: number, y: number]
export type BoundingBox = readonly [left: number, bottom: number, right: number, top: number]

/** Ends of lines (ISO 32000-2, table 179) as places along the line and across it, and whether they enclose an area. */
// biome-ignore format: a table
const ENDINGS: Record<string, { places: readonly Point[]; isClosed?: boolean }> = {
  OpenArrow: { places: [[-1.5, 0.8], [0, 0], [-1.5, -0.8]] },
  ClosedArrow: { places: [[-1.5, 0.8], [0, 0], [-1.5, -0.8]], isClosed: true },
  ROpenArrow: { places: [[1.5, 0.8], [0, 0], [1.5, -0.8]] },
  RClosedArrow: { places: [[1.5, 0.8], [0, 0], [1.5, -0.8]], isClosed: true },
  Square: { places: [[-1, -1], [1, -1], [1, 1], [-1, 1]], isClosed: true },
  Diamond: { places: [[-1, 0], [0, 1], [1, 0], [0, -1]], isClosed: true },
  Butt: { places: [[0, -1], [0, 1]] },
  Slash: { places: [[-0.5, -1], [0.5, 1]] },
}

/** Operators of colours of one, three and four parts. */
export const [LINE, FILL] = [
  ['G', 'RG', 'K'],
  ['g', 'rg', 'k'],
] as const

/** How far four curves have their handles from the corners of a circle. */
const HANDLE = 0.5523

/** @throws DamagedFile unless there are four finite numbers */
export function rectangle(numbers: readonly number[] = []): BoundingBox {
  const [a, b, c, d] = numbers
  if (numbers.length !== 4 || !numbers.every(Number.isFinite)) throw new DamagedFile('no rectangle')
  return [Math.min(a!, c!), Math.min(b!, d!), Math.max(a!, c!), Math.max(b!, d!)]
}

/** A rectangle with all of the points in it, and around them a line and its ends. */
export function grown(box: BoundingBox, points: readonly Point[], width: number): number[] {
  const edge = points.length > 0 ? 5 * width + 1 : 0
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const least = (values: number[], own: number) =>
    values.reduce((best, value) => Math.min(best, value - edge), own)
  const most = (values: number[], own: number) =>
    values.reduce((best, value) => Math.max(best, value + edge), own)
  return [least(xs, box[0]), least(ys, box[1]), most(xs, box[2]), most(ys, box[3])]
}

export const pointsOf = (numbers: readonly number[] = []): Point[] =>
  Array.from({ length: numbers.length >> 1 }, (_, index) => [numbers[2 * index]!, numbers[2 * index + 1]!])

/** A point moved to the left of the way from one point to another. */
export function moved([x, y]: Point, from: Point, to: Point, by: number): Point {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1
  return [x - (by * (to[1] - from[1])) / length, y + (by * (to[0] - from[0])) / length]
}

const written = ([x, y]: Point) => `${x.toFixed(2)} ${y.toFixed(2)}`

export const path = (points: readonly Point[], isClosed = false): string =>
  `${points.map((point, index) => `${written(point)} ${index === 0 ? 'm' : 'l'}`).join(' ')}${isClosed ? ' h' : ''}`

export function circle([left, bottom, right, top]: BoundingBox): string {
  const [x, y, a, b] = [(left + right) / 2, (bottom + top) / 2, (right - left) / 2, (top - bottom) / 2]
  const at = (across: number, up: number) => written([x + a * across, y + b * up])
  const quarters = [
    [0, 1],
    [-1, 0],
    [0, -1],
    [1, 0],
  ] as const
  let [p, q] = [1, 0]
  const curves = quarters.map(([r, s]) => {
    const curve = `${at(p + HANDLE * r, q + HANDLE * s)} ${at(r + HANDLE * p, s + HANDLE * q)} ${at(r, s)} c`
    ;[p, q] = [r, s]
    return curve
  })
  return `${at(1, 0)} m ${curves.join(' ')} h`
}

/** The end of a line that comes from another point. */
export function ending(shape: string, place: Point, from: Point, width: number, isFilled: boolean): string {
  const size = 3 * Math.max(1, width)
  const length = Math.hypot(place[0] - from[0], place[1] - from[1]) || 1
  const [u, v] = [(place[0] - from[0]) / length, (place[1] - from[1]) / length]
  const at = (along: number, across: number): Point => [
    place[0] + size * (along * u - across * v),
    place[1] + size * (along * v + across * u),
  ]
  const paint = isFilled ? 'B' : 'S'
  if (shape === 'Circle')
    return `${circle([place[0] - size, place[1] - size, place[0] + size, place[1] + size])} ${paint}`
  const found = ownValue(ENDINGS, shape)
  if (!found) return ''
  const { places, isClosed = false } = found
  const drawn = places.map(([along, across]) => at(along, across))
  return `${path(drawn, isClosed)} ${isClosed ? paint : 'S'}`
}

/** The operator that sets a colour of one, three or four parts; nothing for any other. */
export function colour(
  parts: readonly number[],
  [grey, rgb, cmyk]: readonly [string, string, string],
): string {
  const operator = { 1: grey, 3: rgb, 4: cmyk }[parts.length]
  return operator ? `${parts.map(part => part.toFixed(4)).join(' ')} ${operator}` : ''
}

export const corners = ([left, bottom, right, top]: BoundingBox): Point[] => [
  [left, bottom],
  [right, bottom],
  [right, top],
  [left, top],
]

export const mix = ([a, b]: Point, [c, d]: Point, share: number): Point => [
  a + (c - a) * share,
  b + (d - b) * share,
]

/** A line of small waves between two points. */
export function zigzag(from: Point, to: Point): Point[] {
  const steps = Math.min(1000, Math.max(2, Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / 2)))
  return Array.from({ length: steps + 1 }, (_, step) =>
    moved(mix(from, to, step / steps), from, to, step % 2 ? 1.5 : 0),
  )
}
