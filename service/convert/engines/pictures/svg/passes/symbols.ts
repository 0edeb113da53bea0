/** Symbols whose lengths are relative to each use, which the renderer measures against the whole drawing. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { viewOf } from '../instances.ts'
import { append, type Element, hrefId, idsOf, walk } from '../tree.ts'

/** Maximum number of elements of all copies together. */
const COPY_LIMIT = 100_000

/** Replaces each use of such a symbol with a copy, as a nested view (SVG 2, 5.6). */
export function placeSymbols(root: Element): void {
  const ids = idsOf(root)
  const relative = new Set(
    [...ids.values()].filter(
      node => node.name === 'symbol' && !node.attributes.has('viewBox') && hasParts(node),
    ),
  )
  if (relative.size === 0) return
  let copied = 0
  for (const node of walk(root)) {
    const symbol = node.name === 'use' ? ids.get(hrefId(node) ?? '') : undefined
    if (!symbol || !relative.has(symbol)) continue
    const view = viewOf(symbol, node)
    copied += [...walk(view)].length
    if (copied > COPY_LIMIT) throw new JobFailure('jobs.too_large', message('svg.too_complex'))
    for (const name of ['x', 'y', 'width', 'height', 'href']) node.attributes.delete(name)
    node.name = 'g'
    node.children = []
    append(node, view)
  }
}

const hasParts = (symbol: Element): boolean =>
  [...walk(symbol)].some(({ attributes }) => [...attributes.values()].some(value => value.includes('%')))
