/** Colours inherited from the point of use, and reversed markers. */
import { pixels } from '../../../common/css/length.ts'
import {
  append,
  copy,
  type Element,
  element,
  elementsOf,
  freshIds,
  hrefId,
  idsOf,
  inherited,
  MARKERS,
  urlId,
  walk,
} from '../tree.ts'

/** Maximum number of copies of elements used in several colours. */
const COPY_LIMIT = 2000

const MARKED = /^(path|line|polyline|polygon)$/
const PAINTS = ['fill', 'stroke'] as const

const isContext = (value: string | undefined) => /^context-(fill|stroke)$/.test(value ?? '')

function paintContext(root: Element, fill: string, stroke: string): void {
  for (const { attributes } of walk(root))
    for (const name of PAINTS)
      if (isContext(attributes.get(name)))
        attributes.set(name, attributes.get(name) === 'context-fill' ? fill : stroke)
}

/**
 * `context-fill` and `context-stroke` (SVG 2, 13.2): elements used in several colours are copied for each, and so is what those use
 * themselves. Without an element that uses them, nothing is painted.
 */
export function resolveContextPaint(root: Element): void {
  const ids = idsOf(root)
  const fresh = freshIds(root)
  const used = (node: Element): [attribute: string, target: Element][] => {
    const target = node.name === 'use' && ids.get(hrefId(node) ?? '')
    if (target) return [['href', target]]
    return (MARKED.test(node.name) ? MARKERS : []).flatMap(name => {
      const marker = ids.get(urlId(inherited(node, name)) ?? '')
      return marker?.name === 'marker' ? [[name, marker] as [string, Element]] : []
    })
  }
  const contextual = new Map<Element, boolean>()
  const isContextual = (target: Element): boolean => {
    const known = contextual.get(target)
    if (known !== undefined) return known
    contextual.set(target, false)
    const found = [...walk(target)].some(
      node =>
        PAINTS.some(name => isContext(node.attributes.get(name))) ||
        used(node).some(([, inner]) => isContextual(inner)),
    )
    contextual.set(target, found)
    return found
  }
  const copies = new Map<string, string>()
  const defs = element('defs')
  const nodes = [...walk(root)]
  const coloured = (target: Element, user: Element): string => {
    const fill = inherited(user, 'fill') ?? 'black'
    const stroke = inherited(user, 'stroke') ?? 'none'
    const id = target.attributes.get('id')!
    const key = JSON.stringify([id, fill, stroke])
    const known = copies.get(key)
    if (known !== undefined) return known
    // What is only drawn where something else uses it gets its colours there.
    if (copies.size >= COPY_LIMIT || isContext(fill) || isContext(stroke)) return id
    const made = copy(target)
    paintContext(made, fill, stroke)
    if (user.name === 'use')
      for (const [name, value] of [
        ['fill', fill],
        ['stroke', stroke],
      ] as const)
        if (!made.attributes.has(name)) made.attributes.set(name, value)
    for (const node of walk(made)) node.attributes.delete('id')
    made.attributes.set('id', fresh('coloured'))
    append(defs, made)
    copies.set(key, made.attributes.get('id')!)
    nodes.push(...walk(made))
    return made.attributes.get('id')!
  }
  // Only set once all copies are made, since what is copied may use other elements itself.
  const references: [Element, name: string, value: string][] = []
  for (const node of nodes)
    for (const [name, target] of used(node))
      if (isContextual(target)) {
        const id = coloured(target, node)
        references.push([node, name, name === 'href' ? `#${id}` : `url(#${id})`])
      }
  for (const [{ attributes }, name, value] of references) attributes.set(name, value)
  if (defs.children.length > 0) append(root, defs)
  paintContext(root, 'none', 'none')
}

/** `orient="auto-start-reverse"`: the start marker becomes one that is rotated by half a turn. */
export function turnStartMarkers(root: Element): void {
  const ids = idsOf(root)
  const fresh = freshIds(root)
  const turned = new Map<Element, string>()
  const markers = [...walk(root)].filter(
    ({ name, attributes }) => name === 'marker' && attributes.get('orient') === 'auto-start-reverse',
  )
  if (markers.length === 0) return
  for (const node of [...walk(root)]) {
    const marker = ids.get(urlId(node.attributes.get('marker-start')) ?? '')
    if (!marker || !markers.includes(marker)) continue
    let id = turned.get(marker)
    if (id === undefined) {
      id = fresh('turned')
      turned.set(marker, id)
      const made = copy(marker)
      for (const inner of walk(made)) inner.attributes.delete('id')
      made.attributes.set('id', id)
      made.attributes.set('orient', 'auto')
      made.attributes.set('overflow', 'visible')
      const place = (name: string) =>
        pixels(made.attributes.get(name) ?? '0', { whole: 0, fontSize: 16 }) || 0
      const group = element('g', { transform: `rotate(180 ${place('refX')} ${place('refY')})` })
      append(group, ...elementsOf(made))
      made.children = []
      append(made, group)
      append(marker.parent!, made)
    }
    node.attributes.set('marker-start', `url(#${id})`)
  }
  for (const marker of markers) marker.attributes.set('orient', 'auto')
}

/** The background colour of the whole document, which browsers take from the style of the outermost element. */
export function drawBackground(root: Element): void {
  const colour = root.attributes.get('background-color')
  for (const node of walk(root)) node.attributes.delete('background-color')
  if (!colour || /^(none|transparent)$/i.test(colour) || colour.includes('url(')) return
  const [x = 0, y = 0] = (root.attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  // Wide enough for a view box that does not fill the document.
  const backdrop = element('rect', {
    x: x - 1e5,
    y: y - 1e5,
    width: 1e6,
    height: 1e6,
    fill: colour,
    stroke: 'none',
  })
  backdrop.parent = root
  root.children.unshift(backdrop)
}
