/** Estimates the cost of rendering a document, so that one made to exhaust time or memory is refused in advance. */
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { numbers } from '../../common/css/length.ts'
import type { Size } from '../../common/rectangle.ts'
import { extents } from './extents.ts'
import { type Matrix, multiply, scaleOf } from './matrix.ts'
import { cornersOf, lengthOf, outlineOf, SHAPES } from './path.ts'
import {
  type Element,
  elementsOf,
  hrefId,
  idsOf,
  inherited,
  isDefinition,
  MARKERS,
  textOf,
  urlId,
  walk,
} from './tree.ts'
import { nestedFit, transformOf } from './viewport.ts'

/** Maximum estimated rendering time. The times below were measured on one core of 2024. */
const TIME_LIMIT_NS = 20e9
/** Maximum memory of simultaneous layers and filter steps. */
const MEMORY_LIMIT_BYTES = 1e9
/** Maximum number of drawn elements, counting each use. */
const INSTANCE_LIMIT = 500_000
/** Attribute of a picture with its rendering time in nanoseconds. */
export const PICTURE_NS = 'data-ns'

/** Maximum nesting of references. */
const DEPTH_LIMIT = 400

const tooComplex = () => new JobFailure('jobs.too_large', message('svg.too_complex'))

/** Nanoseconds for an element, a dash, a pair of letters in one text, and a pixel of each kind of layer. */
const NS = { element: 10_000, dash: 1500, letter: 1, pixel: 2, layer: 16, mask: 35, clip: 30, primitive: 120 }

/**
 * Refuses an SVG document that would take too long or too much memory at this size.
 * @returns estimated rendering time in nanoseconds
 * @throws JobFailure too_large
 */
export function checkCost(root: Element, own: Size, width: number, height: number): number {
  const ids = idsOf(root)
  const canvas = width * height
  const extentOf = extents(ids)
  let time = 0
  let instances = 0

  /** Maximum number of pixels that an element covers. */
  const areaOf = (node: Element, matrix: Matrix): number => {
    const bounds = extentOf(node, 0)
    if (!bounds) return 0
    const scale = scaleOf(matrix)
    const area = (bounds.right - bounds.left) * scale * ((bounds.bottom - bounds.top) * scale)
    // Everywhere, scaled to nothing, is no number.
    return Math.min(canvas, area * 1.1 + 100) || canvas
  }

  const spend = (ns: number) => {
    time += ns
    if (!(time <= TIME_LIMIT_NS)) throw tooComplex()
  }

  const draw = (node: Element, outer: Matrix, memory: number, depth: number): void => {
    if (++instances > INSTANCE_LIMIT || depth > DEPTH_LIMIT) throw tooComplex()
    const { name, attributes } = node
    if (attributes.get('display') === 'none') return
    const matrix = multiply(outer, transformOf(node))
    // For a picture it is already known.
    spend(Number(attributes.get(PICTURE_NS) ?? NS.element))
    let held = memory
    const refer = (property: string, ns: number) => {
      const target = ids.get(urlId(attributes.get(property)) ?? '')
      if (!target) return
      const area = areaOf(node, matrix)
      spend(area * ns)
      hold(area * 4)
      if (property === 'filter') applyFilter(target, area, scaleOf(matrix))
      else drawChildren(target, matrix, held, depth)
    }
    const hold = (bytes: number) => {
      held += bytes
      if (held > MEMORY_LIMIT_BYTES) throw tooComplex()
    }
    const applyFilter = (filter: Element, area: number, scale: number) => {
      const primitives = elementsOf(filter)
      hold(area * 4 * (primitives.length + 2))
      for (const primitive of primitives) {
        spend(area * (NS.primitive + primitiveNs(primitive, scale)))
        const image = ids.get(hrefId(primitive) ?? '')
        if (primitive.name === 'feImage' && image) draw(image, matrix, held, depth + 1)
      }
    }
    if (attributes.has('mask')) refer('mask', NS.mask)
    if (attributes.has('clip-path')) refer('clip-path', NS.clip)
    if (attributes.has('filter')) {
      refer('filter', NS.layer)
      // Filter functions are one or two primitives each.
      if (!urlId(attributes.get('filter')))
        spend(areaOf(node, matrix) * 400 * attributes.get('filter')!.split('(').length)
    }
    if (Number(attributes.get('opacity') ?? 1) < 1 || attributes.has('mix-blend-mode')) {
      const area = areaOf(node, matrix)
      spend(area * NS.layer)
      hold(area * 4)
    }
    for (const property of ['fill', 'stroke']) {
      const server = ids.get(urlId(attributes.get(property)) ?? '')
      if (server?.name === 'pattern') drawPattern(server, node, matrix, held, depth)
    }
    if (SHAPES.has(name)) {
      spend(areaOf(node, matrix) * NS.pixel)
      spendDashes(node)
      spendMarkers(node, matrix, held, depth)
    } else if (name === 'use') {
      const target = ids.get(hrefId(node) ?? '')
      // The renderer leaves out what uses itself.
      if (target && !under.has(target)) draw(target, matrix, held, depth + 1)
    } else if (name !== 'text') drawChildren(node, matrix, held, depth)
  }

  const under = new Set<Element>()
  const drawChildren = (node: Element, matrix: Matrix, memory: number, depth: number) => {
    if (under.has(node)) return
    under.add(node)
    const fit = node.name === 'svg' || node.name === 'symbol' ? nestedFit(node) : undefined
    const inner = fit ? multiply(matrix, fit) : matrix
    for (const child of elementsOf(node)) if (!isDefinition(child)) draw(child, inner, memory, depth + 1)
    under.delete(node)
  }

  const drawPattern = (pattern: Element, node: Element, matrix: Matrix, memory: number, depth: number) => {
    const [w = 0, h = 0] = ['width', 'height'].map(side => numbers(pattern.attributes.get(side))[0] ?? 0)
    const tile =
      pattern.attributes.get('patternUnits') === 'userSpaceOnUse'
        ? w * h * scaleOf(matrix) ** 2
        : areaOf(node, matrix)
    if (memory + tile * 4 > MEMORY_LIMIT_BYTES) throw tooComplex()
    spend(tile * NS.layer)
    drawChildren(pattern, matrix, memory + tile * 4, depth)
  }

  const spendDashes = (node: Element) => {
    const dashes = inherited(node, 'stroke-dasharray')
    if (!dashes || dashes === 'none') return
    const sum = numbers(dashes).reduce((total, value) => total + value, 0)
    if (sum > 0) spend((lengthOf(outlineOf(node)) / sum) * NS.dash * numbers(dashes).length)
  }

  const spendMarkers = (node: Element, matrix: Matrix, memory: number, depth: number) => {
    for (const property of MARKERS) {
      const marker = ids.get(urlId(inherited(node, property)) ?? '')
      if (marker?.name !== 'marker') continue
      const before = time
      const drawn = instances
      drawChildren(marker, matrix, memory, depth)
      if (property !== 'marker-mid') continue
      const corners = cornersOf(outlineOf(node)).length
      spend((time - before) * corners)
      instances += (instances - drawn) * corners
      if (instances > INSTANCE_LIMIT) throw tooComplex()
    }
  }

  const scale = Math.sqrt((width / own.width) * (height / own.height))
  drawChildren(root, [scale, 0, 0, scale, 0, 0], canvas * 4, 0)
  for (const node of walk(root)) if (node.name === 'text') spend(NS.letter * textOf(node).length ** 2)
  return time
}

/** Nanoseconds that a primitive takes per pixel, beyond what all of them do. */
function primitiveNs({ name, attributes }: Element, scale: number): number {
  const values = (key: string) => numbers(attributes.get(key))
  switch (name) {
    case 'feGaussianBlur':
    case 'feDropShadow':
      return Math.max(...values('stdDeviation'), 0) * scale < 2 ? 900 : 300
    case 'feMorphology': {
      const [x = 0, y = x] = values('radius')
      return (2 * x * scale + 1) * (2 * y * scale + 1) * 2.5
    }
    case 'feTurbulence':
      return 200 * (values('numOctaves')[0] ?? 1)
    case 'feConvolveMatrix': {
      const [x = 3, y = x] = values('order')
      return x * y * 12
    }
  }
  return 0
}
