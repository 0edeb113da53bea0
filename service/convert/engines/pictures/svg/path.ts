/** Outlines of shapes: parsing, transforming and measuring them (SVG 2, 9). */

import { pixels } from '../../common/css/length.ts'
import type { Edges } from '../../common/rectangle.ts'
import { apply, type Matrix } from './matrix.ts'
import type { Element } from './tree.ts'

/** A segment in absolute coordinates: move, line, cubic curve, or close. */
export type PathSegment =
  | ['M' | 'L', number, number]
  | ['C', number, number, number, number, number, number]
  | ['Z']

export type Bounds = Edges

const counts: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 }

const NUMBER = /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y
const FLAG = /[\s,]*([01])/y
const COMMAND = /[\s,]*([MLHVCSQTAZmlhvcsqtaz])/y

/** Parses path data up to the first error, like browsers. */
export function parsePath(text: string): PathSegment[] {
  const segments: PathSegment[] = []
  let at = 0
  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match?.[1]
  }
  let [x, y, startX, startY] = [0, 0, 0, 0]
  // Where the handle of a smooth curve is mirrored from.
  let handle: { kind: string; x: number; y: number } | undefined
  let command = ''
  for (;;) {
    const named = read(COMMAND)
    if (named !== undefined) command = named
    else if (command === '' || command.toUpperCase() === 'Z') break
    else if (command === 'M') command = 'L'
    else if (command === 'm') command = 'l'
    if (segments.length === 0 && command.toUpperCase() !== 'M') break
    const kind = command.toUpperCase()
    const values: number[] = []
    for (let i = 0; i < counts[kind]!; i++) {
      const value = read(kind === 'A' && (i === 3 || i === 4) ? FLAG : NUMBER)
      if (value === undefined) return segments
      values.push(Number(value))
    }
    const relative = command !== kind
    const [dx, dy] = relative ? [x, y] : [0, 0]
    const point = (i: number): [number, number] => [values[i]! + dx, values[i + 1]! + dy]
    const mirrored = (of: string): [number, number] =>
      handle?.kind === of ? [2 * x - handle.x, 2 * y - handle.y] : [x, y]
    const curve = (x1: number, y1: number, x2: number, y2: number, toX: number, toY: number) => {
      segments.push(['C', x1, y1, x2, y2, toX, toY])
      ;[x, y] = [toX, toY]
    }
    const quadratic = (cx: number, cy: number, toX: number, toY: number) => {
      curve(
        x + ((cx - x) * 2) / 3,
        y + ((cy - y) * 2) / 3,
        toX + ((cx - toX) * 2) / 3,
        toY + ((cy - toY) * 2) / 3,
        toX,
        toY,
      )
      handle = { kind: 'Q', x: cx, y: cy }
    }
    const before = handle
    handle = undefined
    switch (kind) {
      case 'M':
        ;[x, y] = point(0)
        ;[startX, startY] = [x, y]
        segments.push(['M', x, y])
        break
      case 'L':
        ;[x, y] = point(0)
        segments.push(['L', x, y])
        break
      case 'H':
        x = values[0]! + dx
        segments.push(['L', x, y])
        break
      case 'V':
        y = values[0]! + dy
        segments.push(['L', x, y])
        break
      case 'C':
        curve(...point(0), ...point(2), ...point(4))
        handle = { kind: 'C', x: values[2]! + dx, y: values[3]! + dy }
        break
      case 'S': {
        handle = before
        const [x1, y1] = mirrored('C')
        const [x2, y2] = point(0)
        curve(x1, y1, x2, y2, ...point(2))
        handle = { kind: 'C', x: x2, y: y2 }
        break
      }
      case 'Q':
        quadratic(...point(0), ...point(2))
        break
      case 'T': {
        handle = before
        quadratic(...mirrored('Q'), ...point(0))
        break
      }
      case 'A': {
        const [rx, ry, turn, large, sweep] = values as [number, number, number, number, number]
        const [toX, toY] = point(5)
        for (const part of arc(x, y, rx, ry, turn, large === 1, sweep === 1, toX, toY)) segments.push(part)
        ;[x, y] = [toX, toY]
        break
      }
      case 'Z':
        ;[x, y] = [startX, startY]
        segments.push(['Z'])
        break
    }
    if (at >= text.length) break
  }
  return segments
}

/** An elliptical arc as cubic curves (SVG 2, B.2.4). */
function arc(
  x1: number,
  y1: number,
  rawRx: number,
  rawRy: number,
  turn: number,
  large: boolean,
  sweep: boolean,
  x2: number,
  y2: number,
): PathSegment[] {
  if (x1 === x2 && y1 === y2) return []
  let [rx, ry] = [Math.abs(rawRx), Math.abs(rawRy)]
  if (rx === 0 || ry === 0) return [['L', x2, y2]]
  const phi = (turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(phi), Math.sin(phi)]
  const px = (cos * (x1 - x2)) / 2 + (sin * (y1 - y2)) / 2
  const py = (-sin * (x1 - x2)) / 2 + (cos * (y1 - y2)) / 2
  const excess = (px / rx) ** 2 + (py / ry) ** 2
  if (excess > 1) [rx, ry] = [rx * Math.sqrt(excess), ry * Math.sqrt(excess)]
  const root =
    Math.sqrt(Math.max(0, (rx * ry) ** 2 / ((rx * py) ** 2 + (ry * px) ** 2) - 1)) *
    (large === sweep ? -1 : 1)
  const [qx, qy] = [(root * rx * py) / ry, (-root * ry * px) / rx]
  const [cx, cy] = [cos * qx - sin * qy + (x1 + x2) / 2, sin * qx + cos * qy + (y1 + y2) / 2]
  const from = Math.atan2((py - qy) / ry, (px - qx) / rx)
  let span = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - from
  if (sweep && span < 0) span += 2 * Math.PI
  if (!sweep && span > 0) span -= 2 * Math.PI
  const pieces = Math.max(1, Math.ceil(Math.abs(span) / (Math.PI / 2) - 1e-9))
  const delta = span / pieces
  const pull = (4 / 3) * Math.tan(delta / 4)
  const at = (ux: number, uy: number): [number, number] => [
    cx + cos * rx * ux - sin * ry * uy,
    cy + sin * rx * ux + cos * ry * uy,
  ]
  return Array.from({ length: pieces }, (_, i): PathSegment => {
    const [a, b] = [from + i * delta, from + (i + 1) * delta]
    const last = i === pieces - 1
    return [
      'C',
      ...at(Math.cos(a) - pull * Math.sin(a), Math.sin(a) + pull * Math.cos(a)),
      ...at(Math.cos(b) + pull * Math.sin(b), Math.sin(b) - pull * Math.cos(b)),
      ...(last ? ([x2, y2] as const) : at(Math.cos(b), Math.sin(b))),
    ]
  })
}

export const pathText = (segments: readonly PathSegment[]): string =>
  segments.map(([kind, ...values]) => kind + values.map(value => Number(value.toFixed(4))).join(' ')).join('')

export const transformPath = (segments: readonly PathSegment[], matrix: Matrix): PathSegment[] =>
  segments.map((segment): PathSegment => {
    if (segment[0] === 'Z') return segment
    const values = segment.slice(1) as number[]
    const moved: number[] = []
    for (let i = 0; i < values.length; i += 2) moved.push(...apply(matrix, values[i]!, values[i + 1]!))
    return [segment[0], ...moved] as PathSegment
  })

/** Points along a path: corners, and places on its curves. */
function* points(
  segments: readonly PathSegment[],
  steps: number,
): Generator<[x: number, y: number, pen: boolean]> {
  let [x, y, startX, startY] = [0, 0, 0, 0]
  for (const segment of segments) {
    if (segment[0] === 'Z') {
      ;[x, y] = [startX, startY]
      yield [x, y, true]
    } else if (segment[0] === 'C') {
      const [, x1, y1, x2, y2, toX, toY] = segment
      for (let i = 1; i <= steps; i++) {
        const t = i / steps
        const [p, q, r, s] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
        yield [p * x + q * x1 + r * x2 + s * toX, p * y + q * y1 + r * y2 + s * toY, true]
      }
      ;[x, y] = [toX, toY]
    } else {
      ;[x, y] = [segment[1], segment[2]]
      if (segment[0] === 'M') [startX, startY] = [x, y]
      yield [x, y, segment[0] === 'L']
    }
  }
}

export function boundsOf(segments: readonly PathSegment[]): Bounds | undefined {
  let bounds: Bounds | undefined
  for (const [x, y] of points(segments, 16)) {
    bounds = {
      left: Math.min(x, bounds?.left ?? x),
      top: Math.min(y, bounds?.top ?? y),
      right: Math.max(x, bounds?.right ?? x),
      bottom: Math.max(y, bounds?.bottom ?? y),
    }
  }
  return bounds
}

export function lengthOf(segments: readonly PathSegment[]): number {
  let total = 0
  let [x, y] = [0, 0]
  for (const [toX, toY, pen] of points(segments, 32)) {
    if (pen) total += Math.hypot(toX - x, toY - y)
    ;[x, y] = [toX, toY]
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
