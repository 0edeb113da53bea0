import { Path2D, StrokeJoin } from '@napi-rs/canvas'
import type { Rectangle } from '../../common/rectangle.ts'
import { isEmpty, type Point, type Rect } from './geometry.ts'
import type { Shape } from './instructions.ts'

/** Maps picture coordinates to those of the canvas. */
export interface View {
  scale: number
  x(value: number): number
  y(value: number): number
}

export interface Outline {
  path: Path2D
  rule: 'evenodd' | 'nonzero'
  /** Clips the path where it would extend too far. */
  within?: Path2D
}

const boxOf = (view: View, rect: Rect): Rectangle => ({
  x: view.x(rect.left),
  y: view.y(rect.top),
  width: Math.max(0, view.x(rect.right) - view.x(rect.left)),
  height: Math.max(0, view.y(rect.bottom) - view.y(rect.top)),
})

const inset = (rect: Rect, pen: Point): Rect => ({
  left: rect.left + pen.x,
  top: rect.top + pen.y,
  right: rect.right - pen.x,
  bottom: rect.bottom - pen.y,
})

/** The area of a shape, as filled by all verbs except frame. */
export function areaOf(view: View, shape: Shape): Outline {
  const path = new Path2D()
  if (shape.kind === 'polygon') {
    for (const [i, { x, y }] of shape.points.entries()) {
      if (i === 0) path.moveTo(view.x(x), view.y(y))
      else path.lineTo(view.x(x), view.y(y))
    }
    path.closePath()
  } else if (shape.kind === 'region') addRects(path, view, shape.region.rects)
  else if (shape.kind === 'arc') addWedge(path, view, shape)
  else addClosed(path, view, shape, shape.rect)
  return { path, rule: 'evenodd' }
}

/** The pen's trace along a shape; it stays inside rectangles and curves, and below and right of polygons. */
export function frameOf(view: View, shape: Shape, pen: Point): Outline {
  const path = new Path2D()
  switch (shape.kind) {
    case 'polygon':
      for (const [i, point] of shape.points.entries()) {
        // Half a pixel more on the inner side, or the ground would be visible where fill and frame meet.
        if (i > 0) addStroke(path, view, shape.points[i - 1]!, point, pen, 0.5 / view.scale)
      }
      return { path, rule: 'nonzero' }
    case 'region':
      // As wide as the pen on either side of the outline, of which only the inner one is seen.
      path.addPath(
        rectsPath(view, shape.region.rects)
          .simplify()
          .transform(scaled(1 / pen.x, 1 / pen.y)),
      )
      path.stroke({ width: 2 * view.scale, join: StrokeJoin.Miter }).transform(scaled(pen.x, pen.y))
      return { path, rule: 'nonzero', within: rectsPath(view, shape.region.rects) }
    case 'arc':
      addBand(path, view, shape, pen)
      return { path, rule: 'evenodd' }
    default: {
      addClosed(path, view, shape, shape.rect)
      const inner = inset(shape.rect, pen)
      if (!isEmpty(inner)) addClosed(path, view, shrink(shape, pen), inner)
      return { path, rule: 'evenodd' }
    }
  }
}

/** The area the pen covers between two points: the hull of its rectangle at both. */
export function strokeOf(view: View, from: Point, to: Point, pen: Point): Outline {
  const path = new Path2D()
  addStroke(path, view, from, to, pen)
  return { path, rule: 'nonzero' }
}

export function rectsPath(view: View, rects: readonly Rect[]): Path2D {
  const path = new Path2D()
  addRects(path, view, rects)
  return path
}

function addRects(path: Path2D, view: View, rects: readonly Rect[]): void {
  for (const rect of rects) {
    const { x, y, width, height } = boxOf(view, rect)
    path.rect(x, y, width, height)
  }
}

const scaled = (a: number, d: number) => ({ a, b: 0, c: 0, d, e: 0, f: 0 })

type Closed = Exclude<Shape, { kind: 'polygon' | 'region' | 'arc' }>

const shrink = (shape: Closed, pen: Point): Closed =>
  shape.kind === 'roundRect'
    ? { ...shape, oval: { x: shape.oval.x - 2 * pen.x, y: shape.oval.y - 2 * pen.y } }
    : shape

function addClosed(path: Path2D, view: View, shape: Closed, rect: Rect): void {
  const { x, y, width, height } = boxOf(view, rect)
  if (shape.kind === 'rect') path.rect(x, y, width, height)
  else if (shape.kind === 'oval') {
    path.moveTo(x + width, y + height / 2)
    path.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI)
    path.closePath()
  } else {
    const rx = Math.min(Math.max(0, shape.oval.x * view.scale), width) / 2
    const ry = Math.min(Math.max(0, shape.oval.y * view.scale), height) / 2
    const quarter = Math.PI / 2
    path.moveTo(x + rx, y)
    path.ellipse(x + width - rx, y + ry, rx, ry, 0, -quarter, 0)
    path.ellipse(x + width - rx, y + height - ry, rx, ry, 0, 0, quarter)
    path.ellipse(x + rx, y + height - ry, rx, ry, 0, quarter, 2 * quarter)
    path.ellipse(x + rx, y + ry, rx, ry, 0, 2 * quarter, 3 * quarter)
    path.closePath()
  }
}

type Arc = Extract<Shape, { kind: 'arc' }>

/** QuickDraw angles start at the top, canvas angles on the right. Both go clockwise and follow the oval. */
function anglesOf({ start, sweep }: Arc): [from: number, to: number, backwards: boolean] {
  const radians = (degrees: number) => ((degrees - 90) * Math.PI) / 180
  const turn = Math.max(-360, Math.min(360, sweep))
  return [radians(start), radians(start + turn), turn < 0]
}

function addWedge(path: Path2D, view: View, arc: Arc): void {
  const { x, y, width, height } = boxOf(view, arc.rect)
  const [from, to, backwards] = anglesOf(arc)
  path.moveTo(x + width / 2, y + height / 2)
  path.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, from, to, backwards)
  path.closePath()
}

/** The ring between an oval and the same oval inset by the pen, between two angles. */
function addBand(path: Path2D, view: View, arc: Arc, pen: Point): void {
  const { x, y, width, height } = boxOf(view, arc.rect)
  const [from, to, backwards] = anglesOf(arc)
  const [cx, cy, rx, ry] = [x + width / 2, y + height / 2, width / 2, height / 2]
  const [px, py] = [Math.max(0, rx - pen.x * view.scale), Math.max(0, ry - pen.y * view.scale)]
  path.ellipse(cx, cy, rx, ry, 0, from, to, backwards)
  // A zero radius would give no curve, so the centre is used.
  if (px > 0 && py > 0) path.ellipse(cx, cy, px, py, 0, to, from, !backwards)
  else path.lineTo(cx, cy)
  path.closePath()
}

function addStroke(path: Path2D, view: View, from: Point, to: Point, pen: Point, bleed = 0): void {
  const [a, b] = from.y < to.y || (from.y === to.y && from.x <= to.x) ? [from, to] : [to, from]
  // Vertical and horizontal strokes are already exact.
  const start = a.x === b.x || a.y === b.y ? 0 : -bleed
  const add = (points: [at: Point, right: boolean, bottom: boolean][]) => {
    for (const [i, [at, right, bottom]] of points.entries()) {
      const x = view.x(at.x + (right ? pen.x : start))
      const y = view.y(at.y + (bottom ? pen.y : start))
      if (i === 0) path.moveTo(x, y)
      else path.lineTo(x, y)
    }
    path.closePath()
  }
  // All hulls run clockwise, so that overlapping ones add up under the nonzero rule.
  const first: [Point, boolean, boolean][] = [
    [a, false, false],
    [a, true, false],
  ]
  const last: [Point, boolean, boolean][] = [
    [b, true, true],
    [b, false, true],
  ]
  if (a.x <= b.x) add([...first, [b, true, false], ...last, [a, false, true]])
  else add([...first, [a, true, true], ...last, [b, false, false]])
}

/** Bounds of what a verb may change, in picture coordinates. */
export function boundsOf(shape: Shape, pen: Point): Rect {
  if (shape.kind === 'region') return shape.region.bounds
  if (shape.kind !== 'polygon') return shape.rect
  return pointBounds(shape.points, pen)
}

export function pointBounds(points: readonly Point[], pen: Point): Rect {
  const bounds = { top: 32767, left: 32767, bottom: -32768, right: -32768 }
  for (const { x, y } of points) {
    bounds.left = Math.min(bounds.left, x)
    bounds.top = Math.min(bounds.top, y)
    bounds.right = Math.max(bounds.right, x + pen.x)
    bounds.bottom = Math.max(bounds.bottom, y + pen.y)
  }
  return bounds
}
