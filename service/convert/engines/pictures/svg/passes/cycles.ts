/** Removes elements that use themselves, which would never end. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { type Element, elementsOf, hrefId, idsOf, remove } from '../tree.ts'

/** Maximum nesting of elements, including what they use. */
const DEPTH_LIMIT = 1000

export function removeCycles(root: Element): void {
  const ids = idsOf(root)
  const started = new Set<Element>()
  const ended = new Set<Element>()
  const cyclic: Element[] = []
  const visit = (node: Element, depth: number) => {
    if (depth > DEPTH_LIMIT) throw new JobFailure('jobs.too_large', message('svg.too_complex'))
    started.add(node)
    const target = node.name === 'use' ? ids.get(hrefId(node) ?? '') : undefined
    for (const next of target ? [...elementsOf(node), target] : elementsOf(node)) {
      if (ended.has(next)) continue
      if (started.has(next)) cyclic.push(node)
      else visit(next, depth + 1)
    }
    ended.add(node)
  }
  visit(root, 0)
  for (const use of cyclic) remove(use)
}
