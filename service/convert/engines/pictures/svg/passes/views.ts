/** Nested views and shapes with properties that the renderer applies wrongly. */
import { append, type Element, element, walk } from '../tree.ts'

/** Effects that the renderer applies twice to a view: to itself and to the group of its clip. */
const EFFECTS = ['opacity', 'mask', 'filter']

/** Moves the effects of each view, which the drawing itself becomes too, to a group of everything in it. */
export function moveViewEffects(root: Element): void {
  for (const view of [...walk(root)]) {
    const present = EFFECTS.filter(name => view.attributes.has(name))
    if (view.name !== 'svg' || present.length === 0) continue
    const group = element('g', {}, view.children)
    for (const name of present) {
      group.attributes.set(name, view.attributes.get(name)!)
      view.attributes.delete(name)
    }
    view.children = []
    append(view, group)
  }
}

const MARKERS = ['marker-start', 'marker-mid', 'marker-end']

/** Browsers draw markers on lines and paths only; the renderer also on these. */
const WITHOUT_MARKERS = /^(rect|circle|ellipse)$/

export function removeShapeMarkers(root: Element): void {
  const nodes = [...walk(root)]
  if (!nodes.some(({ attributes }) => MARKERS.some(name => attributes.has(name)))) return
  for (const { name, attributes } of nodes)
    if (WITHOUT_MARKERS.test(name)) for (const marker of MARKERS) attributes.set(marker, 'none')
}
