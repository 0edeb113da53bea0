import { childOf, childrenOf, type XmlElement } from '../../../common/xml/element.ts'
import { type Block, paragraphOf, run } from '../../model.ts'
import { wordsOf } from './chart.ts'

/** Maximum nesting of a diagram; deeper levels are moved to the last one. */
const DEPTH_LIMIT = 9
const POINT_LIMIT = 2000

/** The text of SmartArt (ECMA-376 part 1, 21.4) as a list, nested as its data is. */
export function diagramBlocks(model: XmlElement | undefined): Block[] {
  const points = new Map<string, XmlElement>()
  for (const point of childrenOf(childOf(model, 'dgm:ptLst'), 'dgm:pt').slice(0, POINT_LIMIT)) {
    const { modelId = '', type = 'node' } = point.attributes
    // All other points are connectors and presentation data.
    if (/^(?:node|asst|doc)$/.test(type)) points.set(modelId, point)
  }
  const children = new Map<string, { id: string; order: number }[]>()
  for (const { attributes } of childrenOf(childOf(model, 'dgm:cxnLst'), 'dgm:cxn')) {
    const { srcId = '', destId = '', srcOrd, type = 'parOf' } = attributes
    if (type !== 'parOf' || !points.has(srcId) || !points.has(destId)) continue
    children.set(srcId, [...(children.get(srcId) ?? []), { id: destId, order: Number(srcOrd) || 0 }])
  }
  const seen = new Set<string>()
  const listOf = (parent: string, depth: number): Block[] => {
    const items: Block[][] = []
    for (const { id } of (children.get(parent) ?? []).toSorted((a, b) => a.order - b.order)) {
      const point = points.get(id)
      if (!point || seen.has(id)) continue
      seen.add(id)
      const below = listOf(id, depth + 1)
      const text = textIn(point)
      if (text) items.push([paragraphOf([run(text)]), ...(depth < DEPTH_LIMIT ? below : [])])
      // The children of an empty point take its place.
      if (!text || depth >= DEPTH_LIMIT)
        for (const block of below) if (block.kind === 'list') items.push(...block.items)
    }
    return items.length > 0 ? [{ kind: 'list', ordered: false, start: 1, format: 'bullet', items }] : []
  }
  const root = [...points].find(([, { attributes }]) => attributes.type === 'doc')?.[0]
  return root === undefined ? [] : listOf(root, 1)
}

const textIn = (point: XmlElement): string =>
  childrenOf(childOf(point, 'dgm:t'), 'a:p').map(wordsOf).join(' ').replace(/\s+/g, ' ').trim()
