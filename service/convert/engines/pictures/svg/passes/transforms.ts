/** Converts transforms about an origin, and those in CSS notation, to matrices. */

import { listOf, pixels } from '../../../common/css/length.ts'
import type { Size } from '../../../common/rectangle.ts'
import { multiply, parseTransform, toText, translate } from '../matrix.ts'
import { type Element, walk } from '../tree.ts'
import { vectorGraphicSize, viewBoxOf } from '../viewport.ts'

/** Applies `transform-origin` (CSS Transforms 1). */
export function resolveTransforms(root: Element): void {
  const size = vectorGraphicSize(root)
  // Percentages refer to the view, but lengths count from the origin of its coordinates.
  const { width, height } = viewBoxOf(root) ?? size
  for (const node of walk(root)) {
    const { attributes } = node
    const name = /^(linear|radial)Gradient$/.test(node.name)
      ? 'gradientTransform'
      : node.name === 'pattern'
        ? 'patternTransform'
        : 'transform'
    const text = attributes.get(name) ?? attributes.get('transform')
    const origin = attributes.get('transform-origin')
    attributes.delete('transform-origin')
    if (text === undefined) continue
    const matrix = parseTransform(text, { width, height })
    if (!matrix) {
      attributes.delete(name)
      continue
    }
    const [x, y] = originOf(origin, { width, height })
    attributes.set(name, toText(multiply(translate(x, y), multiply(matrix, translate(-x, -y)))))
    if (name !== 'transform') attributes.delete('transform')
  }
}

const sides: Record<string, number> = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 }

function originOf(text: string | undefined, { width, height }: Size): [number, number] {
  if (text === undefined) return [0, 0]
  const parts = listOf(text)
  if (parts.length === 1) parts.push('center')
  if (/^(top|bottom)$/.test(parts[0]!) || /^(left|right)$/.test(parts[1]!))
    parts.unshift(...parts.splice(1, 1))
  const place = (part: string, whole: number) =>
    Object.hasOwn(sides, part) ? sides[part]! * whole : pixels(part, { whole, fontSize: 16 })
  const [x, y] = [place(parts[0]!, width), place(parts[1]!, height)]
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : [0, 0]
}
