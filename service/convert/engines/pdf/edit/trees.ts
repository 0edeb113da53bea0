/** Name trees and number trees of a PDF (ISO 32000-1, 7.9.6 and 7.9.7). A damaged one may contain itself, or have very many levels. */
import type { PDFDict, PDFObject } from '@cantoo/pdf-lib'
import { arrayEntry, dictOf, follow, items, textOf } from '../pdfa/objects.ts'

/** The key of a tree's list of pairs. */
type List = 'Names' | 'Nums'

/** Maximum nesting; a balanced tree of all the names in the world needs less. */
const DEPTH_LIMIT = 100

/** Every node of a tree once. */
function* nodesOf(
  node: PDFDict | undefined,
  seen = new Set<PDFDict>(),
  depth = 0,
): Generator<PDFDict, void, void> {
  if (!node || seen.has(node) || depth > DEPTH_LIMIT) return
  seen.add(node)
  for (const kid of items(node.context, arrayEntry(node, 'Kids')))
    yield* nodesOf(dictOf(kid), seen, depth + 1)
  yield node
}

/** The pairs of a tree: the key with references resolved, the value as it is written. */
export function* pairsIn(
  tree: PDFDict | undefined,
  list: List,
): Generator<[PDFObject | undefined, PDFObject]> {
  for (const node of nodesOf(tree)) {
    const pairs = arrayEntry(node, list)
    for (let at = 0; pairs && at + 1 < pairs.size(); at += 2)
      yield [follow(node.context, pairs.get(at)), pairs.get(at + 1)]
  }
}

/** The pairs of a name tree, with their keys as text. */
export const namesIn = (tree: PDFDict | undefined): [string, PDFObject][] =>
  [...pairsIn(tree, 'Names')].map(([key, value]) => [textOf(key), value])
