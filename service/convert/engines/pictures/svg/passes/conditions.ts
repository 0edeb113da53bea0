/**
 * Keeps the applicable branch of every `switch`, and removes everything that is for another language or cannot be
 * drawn.
 */
import { type Element, elementsOf, isDefinition, walk } from '../tree.ts'

/** Whether a list names English of any country, the language in which documents are shown. */
const speaks = (list: string): boolean => list.split(',').some(entry => /^\s*en(-|\s*$)/i.test(entry))

/**
 * Whether the conditions of an element hold (SVG 2, 5.9); those that are only referred to have none. HTML inside
 * SVG is an unsupported extension.
 */
function holds(node: Element): boolean {
  const { name, attributes } = node
  if (isDefinition(node)) return true
  const language = attributes.get('systemLanguage')
  if (language !== undefined && !speaks(language)) return false
  return (attributes.get('requiredExtensions') ?? '').trim() === '' && name !== 'foreignObject'
}

/** @returns whether HTML without a fallback was removed */
export function applyConditions(root: Element): { htmlLeftOut: boolean } {
  let htmlLeftOut = false
  for (const node of walk(root)) {
    const children = elementsOf(node)
    const kept = node.name === 'switch' ? children.filter(holds).slice(0, 1) : children.filter(holds)
    const isReplaced = node.name === 'switch' && kept.length > 0
    if (!isReplaced && children.some(({ name }) => name === 'foreignObject')) htmlLeftOut = true
    if (node.name === 'switch') node.name = 'g'
    const isKept = new Set(kept)
    if (kept.length < children.length)
      node.children = node.children.filter(child => typeof child === 'string' || isKept.has(child))
    for (const name of ['systemLanguage', 'requiredFeatures', 'requiredExtensions'])
      node.attributes.delete(name)
  }
  return { htmlLeftOut }
}
