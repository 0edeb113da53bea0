/**
 * Elements far outside of the picture, such as drafts beside the page. The renderer aborts its process at a layer (of
 * opacity, a clip, a mask, a filter) that lies further away than twice the picture's width or height.
 */
import { grown, moved, union } from './bounds.ts'
import { anonymousCopy, instanceOf } from './instances.ts'
import { pixels } from './length.ts'
import { apply, IDENTITY, type Matrix, multiply, parseTransform, translate } from './matrix.ts'
import { type Bounds, boundsOf, outlineOf, parsePath, SHAPES } from './path.ts'
import {
  type Element,
  element,
  elementsOf,
  hrefId,
  idsOf,
  inherited,
  isDefinition,
  textOf,
  urlId,
  walk,
} from './tree.ts'
import { type Size, viewBoxOf } from './viewport.ts'

const CONTAINER = /^(g|a|switch)$/

/** Maximum nesting of references and groups. */
const DEPTH_LIMIT = 100

/** Maximum number of elements in copies of what is used. */
const COPY_LIMIT = 100_000

/** An extent that is not known, so that nothing may be concluded from it. */
const EVERYWHERE: Bounds = {
  left: Number.NEGATIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
}

/**
 * Puts every element that is at least the picture's own size away from it into `defs`, where it is not drawn but can
 * still be referred to. Estimates may be off by that distance in both directions.
 * @param view the visible part of the drawing, which is `size` large, in its own pixels
 * @returns a function that puts them back
 */
export function hideOutside(root: Element, size: Size, view: Bounds): () => void {
  const ids = idsOf(root)
  const used = new Set(
    [...walk(root)].map(node => (node.name === 'use' ? ids.get(hrefId(node) ?? '') : undefined)),
  )
  const extentOf = extents(ids)
  /** Undoes each change. */
  const restore: (() => void)[] = []

  /** Puts another element, which contains it in `defs`, in an element's place. */
  const replace = (parent: Element, index: number, child: Element, other: Element) => {
    other.parent = parent
    parent.children[index] = other
    restore.push(() => {
      parent.children[index] = child
      child.parent = parent
    })
  }

  const visit = (parent: Element, matrix: Matrix, area: Area, depth: number): void => {
    for (const [index, child] of parent.children.entries()) {
      if (typeof child === 'string' || isDefinition(child)) continue
      const own = multiply(matrix, transformOf(child))
      const extent = extentOf(child, 0)
      if (!extent) continue
      const seen = placed(extent, own)
      if (area.isOutside(seen)) replace(parent, index, child, element('defs', {}, [child]))
      else if (depth >= DEPTH_LIMIT) continue
      else if (child.name === 'use' || used.has(child)) {
        // What is below an element in use may be visible elsewhere, so that only a copy can be changed.
        const instance = usesView(child) || area.reachesOutside(seen) ? instanceAt(child) : undefined
        if (!instance) continue
        instance.parent = parent
        const before = restore.length
        visitInside(instance, multiply(matrix, transformOf(instance)), area, depth)
        if (restore.length > before)
          replace(parent, index, child, element('g', {}, [element('defs', {}, [child]), instance]))
      } else visitInside(child, own, area, depth)
    }
  }
  /** @param own transformation that includes the element's own */
  const visitInside = (child: Element, own: Matrix, area: Area, depth: number) => {
    if (SHAPES.has(child.name)) {
      hideMarkers(child, (x, y) => area.isOutside({ left: x, right: x, top: y, bottom: y }), own, restore)
      return
    }
    const fit = child.name === 'svg' ? nestedFit(child) : CONTAINER.test(child.name) ? IDENTITY : undefined
    if (fit) visit(child, multiply(own, fit), area, depth + 1)
  }
  /** The extent of a view is what it shows, whatever else is in it. */
  const usesView = (child: Element) => /^(symbol|svg)$/.test(ids.get(hrefId(child) ?? '')?.name ?? '')
  let copies = 0
  const instanceAt = (child: Element): Element | undefined => {
    const target = child.name === 'use' ? ids.get(hrefId(child) ?? '') : child
    const [x, y] = lengthsOf(child, 'x', 'y') ?? []
    if (!target || (child.name === 'use' && (x === undefined || y === undefined))) return undefined
    for (const _ of walk(target)) if (++copies > COPY_LIMIT) return undefined
    return child.name === 'use' ? instanceOf(child, target, x ?? 0, y ?? 0) : anonymousCopy(child)
  }
  visit(root, fitOf(root, size), around(view), 0)
  // Others may show the same content in other tiles.
  const shared = new Set(
    [...ids.values()].map(node => node.name === 'pattern' && ids.get(hrefId(node) ?? '')),
  )
  for (const pattern of ids.values()) {
    const tile = pattern.name === 'pattern' && !shared.has(pattern) ? tileOf(pattern) : undefined
    if (tile) visit(pattern, tile.fit, around(tile.bounds), 0)
  }
  return () => {
    for (const undo of restore) undo()
  }
}

interface Area {
  /** Whether all of something is too far away to be seen, or part of it. */
  isOutside(bounds: Bounds): boolean
  reachesOutside(bounds: Bounds): boolean
}

/** What is visible, with its own size on every side. */
function around(view: Bounds): Area {
  const [width, height] = [view.right - view.left, view.bottom - view.top]
  const [left, right] = [view.left - width, view.right + width]
  const [top, bottom] = [view.top - height, view.bottom + height]
  return {
    isOutside: bounds =>
      bounds.right < left || bounds.left > right || bounds.bottom < top || bounds.top > bottom,
    reachesOutside: bounds =>
      bounds.left < left || bounds.right > right || bounds.top < top || bounds.bottom > bottom,
  }
}

/** The visible part of a pattern, and how its content is fitted into it; undefined if it depends on the use. */
function tileOf(pattern: Element): { bounds: Bounds; fit: Matrix } | undefined {
  const { attributes } = pattern
  const isAbsolute = attributes.get('patternUnits') === 'userSpaceOnUse'
  if (!isAbsolute || attributes.has('href') || attributes.get('patternContentUnits') === 'objectBoundingBox')
    return undefined
  const [x, y, width, height] = lengthsOf(pattern, 'x', 'y', 'width', 'height') ?? []
  if (x === undefined || y === undefined || !width || !height) return undefined
  const bounds = { left: x, top: y, right: x + width, bottom: y + height }
  const fit = viewBoxOf(pattern) ? multiply(translate(x, y), fitOf(pattern, { width, height })) : IDENTITY
  return { bounds, fit }
}

/** Removes the markers of a line at places that are outside; each is a layer of its own. */
function hideMarkers(
  node: Element,
  isOutside: (x: number, y: number) => boolean,
  matrix: Matrix,
  restore: (() => void)[],
): void {
  const { attributes } = node
  const present = ['marker-start', 'marker-mid', 'marker-end'].filter(name => urlId(inherited(node, name)))
  if (present.length === 0) return
  const far = parsePath(outlineOf(node))
    .filter(segment => segment.length > 1)
    .map(segment => {
      const [x, y] = segment.slice(-2) as [number, number]
      return isOutside(...apply(matrix, x, y))
    })
  const hides: Record<string, boolean> = {
    'marker-start': far[0] === true,
    'marker-mid': far.slice(1, -1).includes(true),
    'marker-end': far.at(-1) === true,
  }
  for (const name of present.filter(marker => hides[marker])) {
    const before = attributes.get(name)
    attributes.set(name, 'none')
    restore.push(() => (before === undefined ? attributes.delete(name) : attributes.set(name, before)))
  }
}

const transformOf = ({ attributes }: Element): Matrix =>
  parseTransform(attributes.get('transform') ?? '') ?? IDENTITY

function placed(bounds: Bounds, matrix: Matrix): Bounds {
  const result = moved(bounds, matrix)
  // Infinity times zero.
  return Object.values(result).some(Number.isNaN) ? EVERYWHERE : result
}

/** How a view box is fitted into a view, in its middle. */
function fitOf(node: Element, { width, height }: Size): Matrix {
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
function lengthsOf({ attributes }: Element, ...names: string[]): number[] | undefined {
  const values = names.map(name => {
    const text = attributes.get(name) ?? (name === 'x' || name === 'y' ? '0' : '')
    return text.includes('%') ? Number.NaN : pixels(text, { whole: 0, fontSize: 16 })
  })
  return values.every(Number.isFinite) ? values : undefined
}

function nestedFit(node: Element): Matrix | undefined {
  const [x, y] = lengthsOf(node, 'x', 'y') ?? []
  if (x === undefined || y === undefined) return undefined
  if (!viewBoxOf(node)) return translate(x, y)
  const [width, height] = lengthsOf(node, 'width', 'height') ?? []
  if (!width || !height) return undefined
  return multiply(translate(x, y), fitOf(node, { width, height }))
}

/** A function that gives an element's extent before its own transform; undefined if it draws nothing. */
function extents(ids: ReadonlyMap<string, Element>) {
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
      return inner && placed(inner, multiply(translate(x, y), transformOf(target)))
    }
    return CONTAINER.test(name) ? childrenExtent(node, depth) : EVERYWHERE
  }

  const childrenExtent = (node: Element, depth: number): Bounds | undefined =>
    union(
      elementsOf(node).map(child => {
        const inner = extentOf(child, depth + 1)
        return inner && placed(inner, transformOf(child))
      }),
    )

  const filtered = ({ attributes }: Element, bounds: Bounds | undefined): Bounds | undefined => {
    const value = attributes.get('filter')
    if (value === undefined || value === 'none') return bounds
    const filter = ids.get(urlId(value) ?? '')
    return filter ? regionOf(filter, bounds) : EVERYWHERE
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
  return bounds && placed(region, [right - left, 0, 0, bottom - top, left, top])
}

function shapeExtent(node: Element): Bounds | undefined {
  const { name, attributes } = node
  if (name !== 'path' && [...attributes.values()].some(value => value.includes('%'))) return EVERYWHERE
  const bounds = boundsOf(parsePath(outlineOf(node)))
  return bounds && grown(bounds, 2 * (Number(inherited(node, 'stroke-width') ?? 1) || 0))
}

/** All places that a text states for its letters, and its length in any direction, with letters as wide as high. */
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
  return grown(place, (textOf(node).length + 1) * fontSize)
}
