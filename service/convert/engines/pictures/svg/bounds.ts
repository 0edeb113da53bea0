/** The bounds of an element in its own coordinates, without its stroke. */
import { pixels } from '../../common/css/length.ts'
import { apply, type Matrix, parseTransform, translate } from './matrix.ts'
import { type Bounds, boundsOf as boundsOfPath, outlineOf, parsePath, SHAPES } from './path.ts'
import { type Element, elementsOf, hrefId, inherited, isDefinition, textOf } from './tree.ts'

/** How many elements may be examined for one answer. */
const LIMIT = 20_000

const length = ({ attributes }: Element, name: string): number => {
  const value = pixels(attributes.get(name) ?? '0', { whole: 0, fontSize: 16 })
  return Number.isFinite(value) ? value : 0
}

interface Extent {
  /** Adds half the width of strokes around shapes. */
  stroked?: boolean
  /** Estimates the width of text from the average width of letters; otherwise it counts as unknown. */
  guessText?: boolean
  /** Bounds known from earlier calls with the same settings. */
  known?: Map<Element, Bounds | undefined>
}

/** Bounds of an element; undefined if it draws nothing or they are unknown, as for text. */
export function objectBounds(
  node: Element,
  ids: Map<string, Element>,
  { stroked = false, guessText = false, known = new Map() }: Extent = {},
): Bounds | undefined {
  let left = LIMIT
  const compute = (element: Element, depth: number): Bounds | undefined => {
    if (--left < 0 || depth > 50 || isDefinition(element)) return undefined
    if (SHAPES.has(element.name)) {
      const bounds = boundsOfPath(parsePath(outlineOf(element)))
      return bounds && stroked ? grown(bounds, strokeWidth(element) / 2) : bounds
    }
    if (element.name === 'text') return guessText ? guessOf(element) : undefined
    if (
      element.name === 'image' ||
      (element.name === 'svg' && element.parent && element.attributes.has('width'))
    ) {
      const [x, y] = [length(element, 'x'), length(element, 'y')]
      return { left: x, top: y, right: x + length(element, 'width'), bottom: y + length(element, 'height') }
    }
    if (element.name === 'use') {
      const target = ids.get(hrefId(element) ?? '')
      const inner = target && (target.name === 'symbol' ? undefined : outer(target, depth + 1))
      return inner && moved(inner, translate(length(element, 'x'), length(element, 'y')))
    }
    return union(elementsOf(element).map(child => outer(child, depth + 1)))
  }
  const of = (element: Element, depth: number) => {
    if (known.has(element)) return known.get(element)
    const bounds = compute(element, depth)
    known.set(element, bounds)
    return bounds
  }
  const outer = (element: Element, depth: number) => {
    const bounds = of(element, depth)
    const matrix = parseTransform(element.attributes.get('transform') ?? '')
    return bounds && matrix ? moved(bounds, matrix) : bounds
  }
  return of(node, 0)
}

/** Bounds with a margin on every side. */
export const grown = ({ left, top, right, bottom }: Bounds, by: number): Bounds => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
})

const strokeWidth = (node: Element): number =>
  (inherited(node, 'stroke') ?? 'none') === 'none' ? 0 : Number(inherited(node, 'stroke-width') ?? 1) || 0

/** The area around the start of a text, whatever its alignment. */
function guessOf(node: Element): Bounds {
  const fontSize = Number(inherited(node, 'font-size') ?? 16) || 16
  const width = textOf(node).length * fontSize * 0.6
  return grown(
    { left: length(node, 'x'), top: length(node, 'y'), right: length(node, 'x'), bottom: length(node, 'y') },
    Math.max(width, fontSize),
  )
}

/** The smallest bounds around all that are known; undefined without any. */
export function union(all: (Bounds | undefined)[]): Bounds | undefined {
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
