import { type Handle, pdfium, readUtf16 } from '../pdfium/library.ts'
import type { StructureElement } from './types.ts'

const ELEMENT_LIMIT = 100_000
const DEPTH_LIMIT = 64

/** The part of a tagged file's structure that has content on a page. */
export function readStructure(page: Handle): StructureElement[] {
  const library = pdfium()
  const tree = library.structure(page)
  if (!tree) return []
  try {
    let left = ELEMENT_LIMIT
    const read = (element: Handle, depth: number): StructureElement => {
      const children: StructureElement['children'] = []
      const count = depth < DEPTH_LIMIT ? library.elementCount(element) : 0
      for (let index = 0; index < count && left > 0; index++) {
        left -= 1
        const child = library.elementChild(element, index)
        if (child) children.push(read(child, depth + 1))
        else {
          const content = library.elementChildContent(element, index)
          if (content >= 0) children.push(content)
        }
      }
      const alternative = readUtf16((out, bytes) => library.elementAlternative(element, out, bytes))
      const text = readUtf16((out, bytes) => library.elementText(element, out, bytes))
      const type = readUtf16((out, bytes) => library.elementType(element, out, bytes))
      const columns = type === 'TD' || type === 'TH' ? spanOf(element, 'ColSpan') : 1
      const rows = type === 'TD' || type === 'TH' ? spanOf(element, 'RowSpan') : 1
      return {
        type,
        children,
        ...(alternative && { alternative }),
        ...(text && { text }),
        ...(columns > 1 && { columns }),
        ...(rows > 1 && { rows }),
      }
    }
    const roots: StructureElement[] = []
    const count = library.structureCount(tree)
    for (let index = 0; index < count && left > 0; index++) {
      const root = library.structureChild(tree, index)
      if (root) roots.push(read(root, 0))
    }
    return roots
  } finally {
    library.closeStructure(tree)
  }
}

const LARGEST_SPAN = 1000

function spanOf(element: Handle, name: string): number {
  const library = pdfium()
  const value = new Float32Array(1)
  const count = Math.min(library.attributeCount(element), 16)
  for (let index = 0; index < count; index++) {
    const attributes = library.attributes(element, index)
    const found = attributes ? library.attributeValue(attributes, name) : 0
    if (found && library.attributeNumber(found, value))
      return Math.min(LARGEST_SPAN, Math.max(1, Math.round(value[0]!)))
  }
  return 1
}
