/** Bounds outside of which an element cannot paint, to decide what is out of sight and what rendering costs. */

import { numbers, pixels } from '../../common/css/length.ts'
import { apply, type Matrix, multiply, translate } from './matrix.ts'
import { type Bounds, boundsOf, outlineOf, SHAPES } from './path.ts'
import { type Element, elementsOf, hrefId, inherited, isDefinition, textOf, urlId, walk } from './tree.ts'
import { lengthsOf, transformOf, viewBoxOf } from './viewport.ts'

/** Containers that draw their children as they are. */
export const CONTAINER = /^(g|a|switch)$/

/** Maximum nesting of references and groups. */
export const DEPTH_LIMIT = 100

/** An extent that is not known, so that nothing may be concluded from it. */
const EVERYWHERE: Bounds = {
  left: Number.NEGATIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
}

/** Bounds after a transformation. */
export function positioned(bounds: Bounds, matrix: Matrix): Bounds {
  const result = moved(bounds, matrix)
  // Infinity times zero.
  return Object.values(result).some(Number.isNaN) ? EVERYWHERE : result
}

/** A function that gives an element's extent before its own transform, with its stroke and filter; undefined if it draws nothing. */
export function extents(ids: ReadonlyMap<string, Element>) {
  const known = new Map<Element, Bounds | undefined>()

  const extentOf = (node: Element, depth: number): Bounds | undefined => {
    if (known.has(node)) return known.get(node)
    const bounds = depth > DEPTH_LIMIT ? EVERYWHERE : filtered(node, drawn(node, depth))
    known.set(node, bounds)
    return bounds
  }

  const drawn = (node: Element, depth: number): Bounds | undefined => {
    const { name, attributes } = node
    if (isDefinition(node) || attributes.get('display') === 'none') return undefined
    if (SHAPES.has(name)) return shapeExtent(node)
    if (name === 'text') return textExtent(node)
    if (name === 'image' || name === 'svg') {
      const [x, y, width, height] = lengthsOf(node, 'x', 'y', 'width', 'height') ?? []
      if (x === undefined || y === undefined || width === undefined || height === undefined) return EVERYWHERE
      return { left: x, top: y, right: x + width, bottom: y + height }
    }
    if (name === 'use') {
      const target = ids.get(hrefId(node) ?? '')
      if (!target) return undefined
      const [x, y] = lengthsOf(node, 'x', 'y') ?? []
      if (x === undefined || y === undefined) return EVERYWHERE
      const isView = target.name === 'symbol' || target.name === 'svg'
      if (isView && (target.name === 'svg' || viewBoxOf(target))) {
        const [width, height] = lengthsOf(node, 'width', 'height') ?? []
        if (width === undefined || height === undefined) return EVERYWHERE
        return { left: x, top: y, right: x + width, bottom: y + height }
      }
      const inner = isView ? childrenExtent(target, depth + 1) : extentOf(target, depth + 1)
      return inner && positioned(inner, multiply(translate(x, y), transformOf(target)))
    }
    return CONTAINER.test(name) ? childrenExtent(node, depth) : EVERYWHERE
  }

  const childrenExtent = (node: Element, depth: number): Bounds | undefined =>
    union(
      elementsOf(node).map(child => {
        const inner = extentOf(child, depth + 1)
        return inner && positioned(inner, transformOf(child))
      }),
    )

  const shapeExtent = (node: Element): Bounds | undefined => {
    const { name, attributes } = node
    if (name !== 'path' && [...attributes.values()].some(value => value.includes('%'))) return EVERYWHERE
    const bounds = boundsOf(outlineOf(node))
    const isDrawn = (inherited(node, 'stroke') ?? 'none') !== 'none'
    return bounds && grown(bounds, isDrawn ? 2 * (Number(inherited(node, 'stroke-width') ?? 1) || 0) : 0)
  }

  const filtered = ({ attributes }: Element, bounds: Bounds | undefined): Bounds | undefined => {
    const value = attributes.get('filter')
    if (value === undefined || value === 'none') return bounds
    const filter = ids.get(urlId(value) ?? '')
    if (filter) return regionOf(filter, bounds)
    // Functions blur and move by lengths among their numbers.
    if (/em\b|%|calc/.test(value)) return EVERYWHERE
    return bounds && grown(bounds, 3 * numbers(value).reduce((sum, number) => sum + Math.abs(number), 0))
  }

  return extentOf
}

/** The region into which a filter draws, whatever the element's own extent. */
function regionOf({ attributes }: Element, bounds: Bounds | undefined): Bounds | undefined {
  const share = (name: string, normal: number) => {
    const text = attributes.get(name)
    if (text === undefined) return normal
    return pixels(text, { whole: 1, fontSize: Number.NaN })
  }
  const [x, y, width, height] = [
    share('x', -0.1),
    share('y', -0.1),
    share('width', 1.2),
    share('height', 1.2),
  ]
  const region = { left: x, top: y, right: x + width, bottom: y + height }
  if (!Object.values(region).every(Number.isFinite)) return EVERYWHERE
  if (attributes.get('filterUnits') === 'userSpaceOnUse') {
    const relative = ['x', 'y', 'width', 'height'].some(name => attributes.get(name)?.includes('%') ?? true)
    return relative ? EVERYWHERE : region
  }
  const { left = 0, top = 0, right = 0, bottom = 0 } = bounds ?? {}
  return bounds && positioned(region, [right - left, 0, 0, bottom - top, left, top])
}

/** All places that a text states for its letters, and its length along its lines, with letters as wide as high. */
function textExtent(node: Element): Bounds | undefined {
  const pieces = [...walk(node)]
  if (pieces.some(({ name }) => name === 'textPath')) return EVERYWHERE
  const values = (name: string) => pieces.map(({ attributes }) => attributes.get(name) ?? '').join(' ')
  const [xs, ys] = ['x', 'y'].map(name =>
    values(name)
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  const points = (list: string[] = []) => list.map(text => pixels(text, { whole: Number.NaN, fontSize: 16 }))
  const [x, y] = [points(xs), points(ys)]
  if (/\S/.test(values('dx') + values('dy')) || ![...x, ...y].every(Number.isFinite)) return EVERYWHERE
  const sizes = pieces.map(piece => Number(inherited(piece, 'font-size') ?? 16))
  const fontSize = Math.max(...sizes)
  if (!Number.isFinite(fontSize)) return EVERYWHERE
  const pens = x.length === 0 ? [0] : x
  const lines = y.length === 0 ? [0] : y
  const place = {
    left: Math.min(...pens),
    top: Math.min(...lines),
    right: Math.max(...pens),
    bottom: Math.max(...lines),
  }
  const length = (textOf(node).length + 1) * fontSize
  const isVertical = pieces.some(piece => /^(tb|vertical)/.test(inherited(piece, 'writing-mode') ?? ''))
  return grown(place, ...(isVertical ? ([2 * fontSize, length] as const) : ([length, 2 * fontSize] as const)))
}

/** Bounds with a margin on both sides, and above and below. */
const grown = ({ left, top, right, bottom }: Bounds, x: number, y = x): Bounds => ({
  left: left - x,
  top: top - y,
  right: right + x,
  bottom: bottom + y,
})

/** The smallest bounds around all that are known; undefined without any. */
function union(all: (Bounds | undefined)[]): Bounds | undefined {
  const known = all.filter(bounds => bounds !== undefined)
  if (known.length === 0) return undefined
  return known.reduce((a, b) => ({
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  }))
}

/** Bounds of transformed bounds. */
export function moved({ left, top, right, bottom }: Bounds, matrix: Matrix): Bounds {
  const corners = [
    apply(matrix, left, top),
    apply(matrix, right, top),
    apply(matrix, left, bottom),
    apply(matrix, right, bottom),
  ]
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}
