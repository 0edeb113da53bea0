/**
 * Strokes that the renderer does not support: dashes relative to a path's own length, and strokes with constant width.
 */
import type { Size } from '../../../common/rectangle.ts'
import { IDENTITY, invert, type Matrix, multiply, scaleOf, toText } from '../matrix.ts'
import { lengthOf, movedOutline, outlineOf, SHAPES } from '../path.ts'
import { type Element, elementsOf } from '../tree.ts'
import { transformOf, viewBoxOf } from '../viewport.ts'

interface Inherited {
  dashes: string | undefined
  offset: string | undefined
  /** From an element's coordinates to the document's. */
  matrix: Matrix
}

export function rewriteStrokes(root: Element, size: Size): void {
  const box = viewBoxOf(root)
  const fit = box ? Math.min(size.width / box.width, size.height / box.height) : 1
  visit(root, {
    dashes: undefined,
    offset: undefined,
    matrix: box ? [fit, 0, 0, fit, 0, 0] : IDENTITY,
  })
}

function visit(node: Element, outer: Inherited): void {
  const { attributes } = node
  const inherited: Inherited = {
    dashes: attributes.get('stroke-dasharray') ?? outer.dashes,
    offset: attributes.get('stroke-dashoffset') ?? outer.offset,
    matrix: multiply(outer.matrix, transformOf(node)),
  }
  if (SHAPES.has(node.name)) {
    scaleDashes(node, inherited)
    if (attributes.get('vector-effect') === 'non-scaling-stroke') keepWidth(node, inherited.matrix)
  }
  attributes.delete('vector-effect')
  attributes.delete('pathLength')
  for (const child of elementsOf(node)) visit(child, inherited)
}

function scaleDashes(node: Element, { dashes, offset }: Inherited): void {
  const claimed = Number(node.attributes.get('pathLength'))
  if (!(claimed > 0) || dashes === undefined || dashes === 'none') return
  const factor = lengthOf(outlineOf(node)) / claimed
  const scaled = (text: string) =>
    text
      .split(/[\s,]+/)
      .map(part => Number(part) * factor)
      .join(' ')
  node.attributes.set('stroke-dasharray', scaled(dashes))
  if (offset !== undefined) node.attributes.set('stroke-dashoffset', scaled(offset))
}

const GEOMETRY = ['x', 'y', 'width', 'height', 'rx', 'ry', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2', 'points']

/** Draws a shape in the document's coordinates, so that its stroke keeps the declared width. */
function keepWidth(node: Element, matrix: Matrix): void {
  const back = invert(matrix)
  if (!back || scaleOf(matrix) === 0) return
  const outline = movedOutline(outlineOf(node), matrix)
  for (const name of GEOMETRY) node.attributes.delete(name)
  node.name = 'path'
  node.attributes.set('d', outline)
  node.attributes.set('transform', toText(multiply(transformOf(node), back)))
}
