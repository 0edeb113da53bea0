/**
 * Converts stars and polygons with round corners to outlines, since Skottie draws their corners sharp. Lottie
 * specification 1.0, Shapes, PolyStar; handles as in After Effects.
 */

interface Keyframe {
  t?: number
  /** Value at the keyframe. */
  s?: unknown
  /** Value at its end, in old files. */
  e?: unknown
  /** Handles of its easing. */
  i?: { x?: unknown; y?: unknown }
  o?: { x?: unknown; y?: unknown }
  /** 1 holds the value until the next keyframe. */
  h?: number
}

interface Property {
  a?: number
  k?: unknown
}

interface Shape {
  ty?: string
  /** Children of a group. */
  it?: unknown
  /** 1 for a star, 2 for a polygon. */
  sy?: number
  /** 3 if drawn anticlockwise. */
  d?: number
  pt?: Property
  p?: Property
  r?: Property
  or?: Property
  ir?: Property
  os?: Property
  is?: Property
  hd?: boolean
}

interface Container {
  layers?: unknown
  shapes?: unknown
}

/** Maximum number of corners of all stars in a file, over all frames for which they are redrawn. */
const CORNER_LIMIT = 2_000_000

/** Rewrites every star with round corners; returns true if there was one. Stars over the limit stay sharp. */
export function roundStars(lottie: Container & { assets?: unknown }): boolean {
  const budget = { corners: CORNER_LIMIT }
  let found = false
  const inShapes = (shapes: unknown) => {
    if (!Array.isArray(shapes)) return
    for (const [index, shape] of (shapes as (Shape | null)[]).entries()) {
      if (Array.isArray(shape?.it)) inShapes(shape.it)
      if (shape?.ty !== 'sr' || !isRound(shape)) continue
      const outline = outlineOf(shape, budget)
      if (!outline) continue
      shapes[index] = outline
      found = true
    }
  }
  const inLayers = ({ layers }: Container) => {
    if (!Array.isArray(layers)) return
    for (const layer of layers as (Container | null)[]) inShapes(layer?.shapes)
  }
  inLayers(lottie)
  if (Array.isArray(lottie.assets))
    for (const asset of lottie.assets as (Container | null)[]) if (asset) inLayers(asset)
  return found
}

const isStar = ({ sy }: Shape) => sy !== 2

const isRound = (shape: Shape): boolean =>
  [shape.os, isStar(shape) ? shape.is : undefined].some(
    property => keyframesOf(property).length > 0 || valueAt(property, 0) !== 0,
  )

const keyframesOf = (property: Property | undefined): Keyframe[] =>
  Array.isArray(property?.k) && typeof property.k[0] === 'object' && property.k[0] !== null
    ? (property.k as Keyframe[])
    : []

const numberOf = (value: unknown): number => {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'number' && Number.isFinite(first) ? first : 0
}

/** Value of a one-number property at a time in frames. */
function valueAt(property: Property | undefined, time: number): number {
  const keyframes = keyframesOf(property)
  if (keyframes.length === 0) return numberOf(property?.k)
  const next = keyframes.findIndex(({ t = 0 }) => t > time)
  const index = next < 0 ? keyframes.length - 1 : Math.max(0, next - 1)
  const current = keyframes[index]!
  const following = keyframes[index + 1]
  // The last keyframe of old files has no value of its own.
  const start = numberOf(current.s ?? keyframes[index - 1]?.e)
  if (!following || next === 0 || current.h === 1) return start
  const end = numberOf(current.e ?? following.s)
  const span = (following.t ?? 0) - (current.t ?? 0)
  const share = span > 0 ? Math.min(1, Math.max(0, (time - (current.t ?? 0)) / span)) : 1
  return start + (end - start) * ease(share, current)
}

/** The share of a change that is complete, on the curve between (0, 0) and (1, 1) with the keyframe's handles. */
function ease(share: number, { i, o }: Keyframe): number {
  if (!i || !o) return share
  const [x1, y1, x2, y2] = [numberOf(o.x), numberOf(o.y), numberOf(i.x), numberOf(i.y)]
  const along = (a: number, b: number, t: number) =>
    3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3
  let [low, high] = [0, 1]
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (along(x1, x2, middle) < share) low = middle
    else high = middle
  }
  return along(y1, y2, (low + high) / 2)
}

interface Outline {
  c: true
  v: number[][]
  i: number[][]
  o: number[][]
}

function outlineOf(shape: Shape, budget: { corners: number }): object | undefined {
  const [first, last] = spanOf([shape.pt, shape.or, shape.ir, shape.os, shape.is])
  const isStill = first === undefined || last === undefined
  const times = isStill
    ? [0]
    : Array.from({ length: Math.floor(last - first) + 2 }, (_, step) => Math.min(last, first + step))
  budget.corners -= times.reduce((sum, time) => sum + cornersAt(shape, time), 0)
  if (!(budget.corners >= 0)) return undefined
  const outlines = times.map(time => drawAt(shape, time))
  // A path can only be animated between outlines with the same number of corners.
  const most = outlines.reduce((corners, { v }) => Math.max(corners, v.length), 0)
  const h = outlines.some(({ v }) => v.length < most) ? { h: 1 } : {}
  for (const outline of outlines) pad(outline, most)
  const linear = { i: { x: 1, y: 1 }, o: { x: 0, y: 0 } }
  const ks = isStill
    ? { a: 0, k: outlines[0] }
    : { a: 1, k: outlines.map((outline, step) => ({ t: times[step], s: [outline], ...linear, ...h })) }
  const path = { ty: 'sh', hd: shape.hd, d: shape.d, ks }
  // Position and rotation may be animated too, and a group can animate them.
  const place = { p: shape.p ?? { a: 0, k: [0, 0] }, r: shape.r ?? { a: 0, k: 0 } }
  const rest = { a: { a: 0, k: [0, 0] }, s: { a: 0, k: [100, 100] }, o: { a: 0, k: 100 } }
  return { ty: 'gr', hd: shape.hd, it: [path, { ty: 'tr', ...place, ...rest }] }
}

/** Repeats the last corner, which does not change the drawing. */
function pad({ v, i, o }: Outline, corners: number): void {
  const [place, handle] = [v.at(-1)!, o.at(-1)!]
  for (let count = v.length; count < corners; count++) {
    o[o.length - 1] = [0, 0]
    v.push(place)
    i.push([0, 0])
    o.push(handle)
  }
}

/** First and last time of all keyframes of some properties. */
function spanOf(properties: (Property | undefined)[]): [number?, number?] {
  const times = properties
    .flatMap(property => keyframesOf(property).map(({ t }) => t ?? 0))
    .filter(Number.isFinite)
  if (times.length === 0) return []
  const [first, last] = [Math.min(...times), Math.max(...times)]
  // Nothing real runs for longer than hours.
  return last - first < 1e6 ? [first, last] : []
}

const cornersAt = (shape: Shape, time: number): number =>
  Math.min(10_000, Math.max(3, Math.floor(valueAt(shape.pt, time)))) * (isStar(shape) ? 2 : 1)

/** The outline of a star at a time, around its own centre. */
function drawAt(shape: Shape, time: number): Outline {
  const count = cornersAt(shape, time)
  const direction = shape.d === 3 ? -1 : 1
  const outer = { radius: valueAt(shape.or, time), round: valueAt(shape.os, time) / 100 }
  const inner = { radius: valueAt(shape.ir, time), round: valueAt(shape.is, time) / 100 }
  const outline: Outline = { c: true, v: [], i: [], o: [] }
  for (let corner = 0; corner < count; corner++) {
    const { radius, round } = isStar(shape) && corner % 2 === 1 ? inner : outer
    const angle = -Math.PI / 2 + (direction * corner * 2 * Math.PI) / count
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    // At full roundness, a handle is half as long as the arc to the next corner for a star, a quarter for a polygon.
    const handle = ((2 * Math.PI * radius) / (count * (isStar(shape) ? 2 : 4))) * round * direction
    outline.v.push([radius * cos, radius * sin])
    outline.o.push([-sin * handle, cos * handle])
    outline.i.push([sin * handle, -cos * handle])
  }
  return outline
}
