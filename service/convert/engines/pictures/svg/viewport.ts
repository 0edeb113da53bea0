/** Size of an SVG document and of the views inside it. */

import { numbers, pixels } from '../../common/css/length.ts'
import type { Size } from '../../common/rectangle.ts'
import { IDENTITY, type Matrix, multiply, parseTransform, translate } from './matrix.ts'
import type { Element } from './tree.ts'

/** The transform of an element; none if it is invalid. */
export const transformOf = ({ attributes }: Element): Matrix =>
  parseTransform(attributes.get('transform') ?? '') ?? IDENTITY

export function viewBoxOf({ attributes }: Element): (Size & { x: number; y: number }) | undefined {
  const [x, y, width, height] = numbers(attributes.get('viewBox'))
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** The size that browsers give an SVG document without one. */
const DEFAULT: Size = { width: 300, height: 150 }

/** Longest edge of an SVG document that states no size: its view box may count in hundredths of a millimetre. */
const UNSIZED_EDGE = 4096

/**
 * Size of an SVG document in CSS pixels: its width and height; if only one is given, the proportions of its view box; if none
 * is given, the view box's own size, up to `UNSIZED_EDGE`. Percentages are ignored, since there is nothing around it.
 */
export function vectorGraphicSize(root: Element): Size {
  const length = (name: 'width' | 'height') => {
    const text = root.attributes.get(name) ?? ''
    const value = pixels(text, { whole: Number.NaN, fontSize: 16 })
    return value > 0 ? value : undefined
  }
  const [width, height] = [length('width'), length('height')]
  const box = viewBoxOf(root)
  if (width !== undefined && height !== undefined) return { width, height }
  if (width !== undefined) return { width, height: box ? (width * box.height) / box.width : DEFAULT.height }
  if (height !== undefined) return { width: box ? (height * box.width) / box.height : DEFAULT.width, height }
  if (!box) return DEFAULT
  const scale = Math.min(1, UNSIZED_EDGE / Math.max(box.width, box.height))
  return { width: box.width * scale, height: box.height * scale }
}

/** How a view box is fitted into a view, in its middle. */
export function fitOf(node: Element, { width, height }: Size): Matrix {
  const box = viewBoxOf(node)
  if (!box) return IDENTITY
  const aspect = node.attributes.get('preserveAspectRatio') ?? ''
  const factors = [width / box.width, height / box.height]
  const even = aspect.includes('slice') ? Math.max(...factors) : Math.min(...factors)
  const [x, y] = aspect.includes('none') ? [factors[0]!, factors[1]!] : [even, even]
  const [left, top] = [(width - x * box.width) / 2, (height - y * box.height) / 2]
  return [x, 0, 0, y, left - x * box.x, top - y * box.y]
}

/** Lengths of an element in pixels; undefined if one is missing, or relative to something else. */
export function lengthsOf({ attributes }: Element, ...names: string[]): number[] | undefined {
  const values = names.map(name => {
    const text = attributes.get(name) ?? (name === 'x' || name === 'y' ? '0' : '')
    return text.includes('%') ? Number.NaN : pixels(text, { whole: 0, fontSize: 16 })
  })
  return values.every(Number.isFinite) ? values : undefined
}

/** How a nested view shows its content; undefined if that depends on something else. */
export function nestedFit(node: Element): Matrix | undefined {
  const [x, y] = lengthsOf(node, 'x', 'y') ?? []
  if (x === undefined || y === undefined) return undefined
  if (!viewBoxOf(node)) return translate(x, y)
  const [width, height] = lengthsOf(node, 'width', 'height') ?? []
  if (!width || !height) return undefined
  return multiply(translate(x, y), fitOf(node, { width, height }))
}
