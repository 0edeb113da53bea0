/** Outlines of shapes, which Skia parses, moves and measures (SVG 2, 9). */

import { Path2D } from '@napi-rs/canvas'
import { numbers, pixels } from '../../common/css/length.ts'
import type { Edges } from '../../common/rectangle.ts'
import type { Matrix } from './matrix.ts'
import type { Element } from './tree.ts'

export type Bounds = Edges

type Point = readonly [x: number, y: number]

/** An outline moved by a transform, as path data. */
export function movedOutline(outline: string, [a, b, c, d, e, f]: Matrix): string {
  return new Path2D(outline).transform({ a, b, c, d, e, f }).toSVGString()
}

/** Bounds of an outline; undefined if it draws nothing. */
export function boundsOf(outline: string): Bounds | undefined {
  const [left, top, right, bottom] = new Path2D(outline).computeTightBounds()
  return left || top || right || bottom ? { left, top, right, bottom } : undefined
}

/** The segments of an outline up to its first error: moves, lines, quadratic and cubic curves and closes, all absolute. */
const segmentsOf = (outline: string): { kind: string; points: Point[] }[] =>
  Array.from(new Path2D(outline).toSVGString().matchAll(/([MLQCZ])([^MLQCZ]*)/g), ([, kind = '', text]) => {
    const values = numbers(text)
    return { kind, points: values.flatMap((x, at): Point[] => (at % 2 ? [] : [[x, values[at + 1]!]])) }
  })

/** Where the segments of an outline end. */
export const cornersOf = (outline: string): Point[] =>
  segmentsOf(outline).flatMap(({ points }) => points.slice(-1))

/** A point of a Bézier curve (de Casteljau's algorithm). */
function along(points: readonly Point[], t: number): Point {
  const [first, ...rest] = points
  if (rest.length === 0) return first!
  const between = rest.map(([x, y], at): Point => {
    const [fromX, fromY] = points[at]!
    return [fromX + (x - fromX) * t, fromY + (y - fromY) * t]
  })
  return along(between, t)
}

/** Straight pieces as which a curve is measured. */
const STEPS = 16

export function lengthOf(outline: string): number {
  let total = 0
  let from: Point = [0, 0]
  let start = from
  for (const { kind, points } of segmentsOf(outline)) {
    const to = points.at(-1) ?? start
    if (kind === 'M') start = to
    const steps = kind === 'M' ? 0 : points.length > 1 ? STEPS : 1
    let before = from
    for (let step = 1; step <= steps; step++) {
      const next = along([from, ...(points.length > 0 ? points : [to])], step / steps)
      total += Math.hypot(next[0] - before[0], next[1] - before[1])
      before = next
    }
    from = to
  }
  return total
}

export const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'])

const ellipse = (cx: number, cy: number, rx: number, ry: number) =>
  rx > 0 && ry > 0
    ? `M${cx + rx} ${cy}A${rx} ${ry} 0 0 1 ${cx} ${cy + ry}A${rx} ${ry} 0 0 1 ${cx - rx} ${cy}A${rx} ${ry} 0 0 1 ${cx} ${cy - ry}A${rx} ${ry} 0 0 1 ${cx + rx} ${cy}Z`
    : ''

/** Path data of a shape whose lengths are plain numbers. */
export function outlineOf({ name, attributes }: Element): string {
  const length = (key: string) => {
    const value = pixels(attributes.get(key) ?? '0', { whole: 0, fontSize: 16 })
    return Number.isFinite(value) ? value : 0
  }
  switch (name) {
    case 'path':
      return attributes.get('d') ?? ''
    case 'circle':
      return ellipse(length('cx'), length('cy'), length('r'), length('r'))
    case 'ellipse': {
      const [rx, ry] = [attributes.has('rx') ? 'rx' : 'ry', attributes.has('ry') ? 'ry' : 'rx']
      return ellipse(length('cx'), length('cy'), length(rx), length(ry))
    }
    case 'line':
      return `M${length('x1')} ${length('y1')}L${length('x2')} ${length('y2')}`
    case 'polyline':
    case 'polygon': {
      const points = attributes.get('points')?.trim()
      return points ? `M${points}${name === 'polygon' ? 'Z' : ''}` : ''
    }
    case 'rect': {
      const [x, y, w, h] = [length('x'), length('y'), length('width'), length('height')]
      if (w <= 0 || h <= 0) return ''
      const given = (key: string) =>
        attributes.has(key) && attributes.get(key) !== 'auto' ? length(key) : undefined
      const rx = Math.min(given('rx') ?? given('ry') ?? 0, w / 2)
      const ry = Math.min(given('ry') ?? given('rx') ?? 0, h / 2)
      if (rx <= 0 || ry <= 0) return `M${x} ${y}H${x + w}V${y + h}H${x}Z`
      const corner = (toX: number, toY: number) => `A${rx} ${ry} 0 0 1 ${toX} ${toY}`
      return `M${x + rx} ${y}H${x + w - rx}${corner(x + w, y + ry)}V${y + h - ry}${corner(x + w - rx, y + h)}H${x + rx}${corner(x, y + h - ry)}V${y + ry}${corner(x + rx, y)}Z`
    }
  }
  return ''
}
