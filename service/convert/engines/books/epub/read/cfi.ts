import { elementsOf } from '../../../common/xml/element.ts'
import type { Target } from '../../book/links.ts'
import type { Package } from './package.ts'

/**
 * The place that a canonical fragment identifier of the package leads to (https://idpf.org/epub/linking/cfi/), such as
 * `epubcfi(/6/4[ref]!/4[body]/10[para]/3:10)`: the document, and the innermost element on the way whose id it names.
 */
export function cfiTarget(fragment: string, { root, spine, items }: Package): Target | undefined {
  const [, path] = /^epubcfi\(([^,]*)/.exec(fragment) ?? []
  const [, steps, inDocument] = path === undefined ? [] : (/^([^!]*)!(.*)$/.exec(path) ?? [])
  const [, part, itemref] = steps === undefined ? [] : (/^\/(\d+)(?:\[[^\]]*\])?\/(\d+)/.exec(steps) ?? [])
  // Elements have even numbers.
  if (elementsOf(root)[Number(part) / 2 - 1]?.name !== 'spine') return undefined
  const item = items.get(spine[Number(itemref) / 2 - 1]?.id ?? '')
  const ids = [...(inDocument ?? '').matchAll(/\/\d+\[([^\];]+)/g)]
  return item && { href: item.href, fragment: ids.at(-1)?.[1] ?? '' }
}
