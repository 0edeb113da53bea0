/** Converts transforms about an origin, and those in CSS notation, to matrices. */

import { listOf, pixels } from '../../../common/css/length.ts'
import type { Rectangle } from '../../../common/rectangle.ts'
import { extents } from '../extents.ts'
import { multiply, parseTransform, toText, translate } from '../matrix.ts'
import { type Element, idsOf, walk } from '../tree.ts'
import { vectorGraphicSize, viewBoxOf } from '../viewport.ts'

/** Applies `transform-origin` and `transform-box` (CSS Transforms 1). */
export function resolveTransforms(root: Element): void {
  const size = vectorGraphicSize(root)
  const view = viewBoxOf(root) ?? { x: 0, y: 0, ...size }
  const boundsOf = extents(idsOf(root), true)
  for (const node of walk(root)) {
    const { attributes } = node
    const name = /^(linear|radial)Gradient$/.test(node.name)
      ? 'gradientTransform'
      : node.name === 'pattern'
        ? 'patternTransform'
        : 'transform'
    const text = attributes.get(name) ?? attributes.get('transform')
    const origin = attributes.get('transform-origin')
    const isFitted = /^(fill-box|content-box|stroke-box|border-box)$/.test(
      attributes.get('transform-box') ?? '',
    )
    attributes.delete('transform-origin')
    attributes.delete('transform-box')
    if (text === undefined) continue
    const bounds = isFitted ? boundsOf(node, 0) : undefined
    const box = bounds
      ? {
          x: bounds.left,
          y: bounds.top,
          width: bounds.right - bounds.left,
          height: bounds.bottom - bounds.top,
        }
      : // Percentages refer to the view, but lengths count from the origin of its coordinates.
        { ...view, x: 0, y: 0 }
    const matrix = parseTransform(text, box)
    if (!matrix) {
      attributes.delete(name)
      continue
    }
    const [x, y] = originOf(origin, box)
    attributes.set(name, toText(multiply(translate(x, y), multiply(matrix, translate(-x, -y)))))
    if (name !== 'transform') attributes.delete('transform')
  }
}

const sides: Record<string, number> = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 }

function originOf(text: string | undefined, box: Rectangle): [number, number] {
  if (text === undefined) return [0, 0]
  const parts = listOf(text)
  if (parts.length === 1) parts.push('center')
  if (/^(top|bottom)$/.test(parts[0]!) || /^(left|right)$/.test(parts[1]!))
    parts.unshift(...parts.splice(1, 1))
  const place = (part: string, whole: number) =>
    Object.hasOwn(sides, part) ? sides[part]! * whole : pixels(part, { whole, fontSize: 16 })
  const [x, y] = [box.x + place(parts[0]!, box.width), box.y + place(parts[1]!, box.height)]
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : [0, 0]
}
