import type { XmlElement } from '../../../../common/xml/element.ts'
import { DEEPEST_LEVEL } from '../../../word/numbering.ts'
import type { Frame } from '../frame.ts'
import type { DocxContext, Walk } from './context.ts'
import { markerOf } from './list-markers.ts'
import { writeText } from './text.ts'

/** Writes a list; each entry passes its marker to its first paragraph. */
export function writeList(element: XmlElement, context: DocxContext, walk: Walk): void {
  const { writing, styleOf } = context
  const outer: Frame = {
    ...context.frame,
    level: context.frame.level + 1,
    entry: undefined,
    indent: 0,
    before: undefined,
    after: undefined,
  }
  const level = Math.min(outer.level - 1, DEEPEST_LEVEL)
  let list: number | undefined
  let expected = 0
  for (const child of element.children) {
    if (typeof child === 'string') {
      writeText(child, { ...context, frame: outer })
      continue
    }
    const marker =
      child.name === 'li'
        ? markerOf(element, child, { level, list: styleOf(element), entry: styleOf(child) })
        : undefined
    const declared = marker && 'start' in marker ? marker.start : undefined
    // Word counts itself; if the book counts differently, a new list begins.
    if (marker && (list === undefined || (declared !== undefined && declared !== expected))) {
      const start = declared ?? 1
      list = writing.numbering.add('bullet' in marker ? marker : { format: marker.format, start }, level)
      expected = start
    }
    expected += 1
    const entry = marker && list !== undefined ? { list, level, isMarked: false } : undefined
    walk.element(child, { ...context, frame: { ...outer, entry } })
  }
}
