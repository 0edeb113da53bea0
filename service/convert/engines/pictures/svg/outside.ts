/**
 * Elements far outside of the picture, such as drafts beside the page. The renderer aborts its process at a layer (of
 * opacity, a clip, a mask, a filter) that is further away than twice the picture's width or height.
 */

import type { Size } from '../../common/rectangle.ts'
import { CONTAINER, DEPTH_LIMIT, extents, moved, positioned } from './extents.ts'
import { apply, IDENTITY, invert, type Matrix, multiply } from './matrix.ts'
import { type Bounds, cornersOf, outlineOf, SHAPES } from './path.ts'
import {
  append,
  copy,
  type Element,
  element,
  freshIds,
  hrefId,
  idsOf,
  inherited,
  isDefinition,
  MARKERS,
  urlId,
  walk,
} from './tree.ts'
import { fitOf, nestedFit, transformOf } from './viewport.ts'

/**
 * A copy of an SVG document in which every element that is at least the picture's own size away from it is in `defs`:
 * there it is not drawn, but can still be referred to. Estimates may be off by that distance in both directions.
 * @param view the visible part of the document, which is `size` large, in its own pixels
 */
export function withoutOutside(vectorGraphic: Element, size: Size, view: Bounds): Element {
  const root = copy(vectorGraphic)
  const ids = idsOf(root)
  const used = new Set(
    [...walk(root)].map(node => (node.name === 'use' ? ids.get(hrefId(node) ?? '') : undefined)),
  )
  const extentOf = extents(ids)
  const fresh = freshIds(root)

  const visit = (parent: Element, matrix: Matrix, area: Area, depth: number): void => {
    for (const [index, child] of parent.children.entries()) {
      if (typeof child === 'string' || isDefinition(child)) continue
      const own = multiply(matrix, transformOf(child))
      const extent = extentOf(child, 0)
      if (!extent) continue
      const seen = positioned(extent, own)
      if (area.isOutside(seen)) {
        const hidden = element('defs', {}, [child])
        hidden.parent = parent
        parent.children[index] = hidden
        continue
      }
      if (child.attributes.has('filter') && area.reachesOutside(seen)) limitFilter(child, extent, own, area)
      // What is below an element in use may be visible elsewhere.
      if (depth < DEPTH_LIMIT && !used.has(child)) visitInside(child, own, area, depth)
    }
  }
  /** Gives an element its own copy of its filter, whose region ends where nothing can be seen any more. */
  const limitFilter = (node: Element, region: Bounds, own: Matrix, area: Area) => {
    const filter = ids.get(urlId(node.attributes.get('filter')) ?? '')
    const inverse = invert(own)
    if (!filter || !inverse || !Object.values(region).every(Number.isFinite)) return
    const near = moved(area.bounds, inverse)
    const [x, y] = [Math.max(region.left, near.left), Math.max(region.top, near.top)]
    const width = Math.min(region.right, near.right) - x
    const height = Math.min(region.bottom, near.bottom) - y
    const id = fresh('near')
    const limited = copy(filter)
    for (const [name, text] of Object.entries({ id, filterUnits: 'userSpaceOnUse', x, y, width, height }))
      limited.attributes.set(name, String(text))
    append(root, limited)
    node.attributes.set('filter', `url(#${id})`)
  }
  /** @param own transformation that includes the element's own */
  const visitInside = (child: Element, own: Matrix, area: Area, depth: number) => {
    if (SHAPES.has(child.name)) {
      hideMarkers(child, (x, y) => area.isOutside({ left: x, right: x, top: y, bottom: y }), own)
      return
    }
    const fit = child.name === 'svg' ? nestedFit(child) : CONTAINER.test(child.name) ? IDENTITY : undefined
    if (fit) visit(child, multiply(own, fit), area, depth + 1)
  }
  visit(root, fitOf(root, size), around(view), 0)
  return root
}

interface Area {
  bounds: Bounds
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
    bounds: { left, top, right, bottom },
    isOutside: bounds =>
      bounds.right < left || bounds.left > right || bounds.bottom < top || bounds.top > bottom,
    reachesOutside: bounds =>
      bounds.left < left || bounds.right > right || bounds.top < top || bounds.bottom > bottom,
  }
}

/** Removes the markers of a line at places that are outside; each is a layer of its own. */
function hideMarkers(node: Element, isOutside: (x: number, y: number) => boolean, matrix: Matrix): void {
  const { attributes } = node
  const present = MARKERS.filter(name => urlId(inherited(node, name)))
  if (present.length === 0) return
  const far = cornersOf(outlineOf(node)).map(([x, y]) => isOutside(...apply(matrix, x, y)))
  const hides: Record<string, boolean> = {
    'marker-start': far[0] === true,
    'marker-mid': far.slice(1, -1).includes(true),
    'marker-end': far.at(-1) === true,
  }
  for (const name of present) if (hides[name]) attributes.set(name, 'none')
}
