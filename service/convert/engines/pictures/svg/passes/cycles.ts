/** Removes elements that use themselves, which would never end. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { anonymousCopy } from '../instances.ts'
import {
  append,
  type Element,
  element,
  elementsOf,
  freshIds,
  hrefId,
  idsOf,
  remove,
  urlId,
  walk,
} from '../tree.ts'

/** Maximum nesting of elements, including what they use. */
const DEPTH_LIMIT = 1000

export function removeCycles(root: Element): void {
  const ids = idsOf(root)
  const begun = new Set<Element>()
  const ended = new Set<Element>()
  const cyclic: Element[] = []
  const visit = (node: Element, depth: number) => {
    if (depth > DEPTH_LIMIT) throw new JobFailure('jobs.too_large', message('svg.too_complex'))
    begun.add(node)
    const target = node.name === 'use' ? ids.get(hrefId(node) ?? '') : undefined
    for (const next of target ? [...elementsOf(node), target] : elementsOf(node)) {
      if (ended.has(next)) continue
      if (begun.has(next)) cyclic.push(node)
      else visit(next, depth + 1)
    }
    ended.add(node)
  }
  visit(root, 0)
  for (const use of cyclic) remove(use)
}

/** Gives pictures of elements in a filter copies of these elements without that filter, as browsers draw them. */
export function breakFilterCycles(root: Element): void {
  const ids = idsOf(root)
  const fresh = freshIds(root)
  for (const [id, filter] of ids) {
    if (filter.name !== 'filter') continue
    const isFiltered = ({ attributes }: Element) => urlId(attributes.get('filter')) === id
    for (const image of elementsOf(filter)) {
      const target = image.name === 'feImage' ? ids.get(hrefId(image) ?? '') : undefined
      if (!target?.parent || !walk(target).some(isFiltered)) continue
      const plain = anonymousCopy(target)
      for (const node of walk(plain)) if (isFiltered(node)) node.attributes.delete('filter')
      const name = fresh('plain')
      plain.attributes.set('id', name)
      image.attributes.set('href', `#${name}`)
      append(target.parent, element('defs', {}, [plain]))
    }
  }
}
