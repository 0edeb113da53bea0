/** Symbols whose lengths are parts of each use, which the renderer measures against the whole drawing. */
import { JobFailure } from '../../../errors.ts'
import { message } from '../../../messages/message.ts'
import { append, copy, type Element, element, elementsOf, hrefId, idsOf, walk } from '../tree.ts'

/** Elements that all copies may have together. */
const COPY_LIMIT = 100_000

const VIEW = ['x', 'y', 'width', 'height']

/** Puts a copy of such a symbol in the place of each use, as a view of its own (SVG 2, 5.6). */
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
    const view = element('svg')
    for (const [name, value] of symbol.attributes) if (name !== 'id') view.attributes.set(name, value)
    for (const name of VIEW) {
      const value = node.attributes.get(name)
      if (value !== undefined) view.attributes.set(name, value)
      node.attributes.delete(name)
    }
    append(view, ...elementsOf(symbol).map(copy))
    for (const inner of walk(view)) {
      inner.attributes.delete('id')
      if (++copied > COPY_LIMIT) throw new JobFailure('jobs.too_large', message('svg.too_complex'))
    }
    node.name = 'g'
    node.attributes.delete('href')
    node.children = []
    append(node, view)
  }
}

const hasParts = (symbol: Element): boolean =>
  [...walk(symbol)].some(({ attributes }) => [...attributes.values()].some(value => value.includes('%')))
