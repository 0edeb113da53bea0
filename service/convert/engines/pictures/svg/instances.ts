/** What a `use` draws, as elements of its own that nothing refers to (SVG 2, 5.6). */
import { copy, type Element, element, walk } from './tree.ts'

/** A copy without ids. */
export function anonymousCopy(node: Element): Element {
  const made = copy(node)
  for (const { attributes } of walk(made)) attributes.delete('id')
  return made
}

const SIZE = ['width', 'height']
const PLACE = ['x', 'y', ...SIZE]

/**
 * What a `use` draws.
 * @param x,y its place in pixels, which moves its clip and mask too
 */
export function instanceOf(use: Element, target: Element, x: number, y: number): Element {
  const content = anonymousCopy(target)
  if (content.name === 'symbol') content.name = 'svg'
  if (content.name === 'svg')
    for (const name of SIZE) {
      const value = use.attributes.get(name)
      if (value !== undefined) content.attributes.set(name, value)
    }
  const group = element('g', {}, [content])
  for (const [name, value] of use.attributes)
    if (name !== 'href' && name !== 'id' && !PLACE.includes(name)) group.attributes.set(name, value)
  group.attributes.set('transform', `${use.attributes.get('transform') ?? ''} translate(${x} ${y})`)
  return group
}
