import type { Declarations } from '../../../../books/book/css/cascade.ts'
import { ownValue } from '../../../../common/own-value.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import type { Frame } from '../frame.ts'
import { DEEPEST_LEVEL, type NumberFormat } from '../parts/numbering.ts'
import type { DocxContext, Walk } from './context.ts'
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

type EntryMarker =
  | { bullet: 'disc' | 'circle' | 'square' }
  | { format: NumberFormat; start: number | undefined }

const bullets = ['disc', 'circle', 'square'] as const
const formats: Record<string, NumberFormat> = {
  ...{ '1': 'decimal', a: 'lowerLetter', A: 'upperLetter', i: 'lowerRoman', I: 'upperRoman' },
  ...{ decimal: 'decimal', 'decimal-leading-zero': 'decimalZero' },
  ...{ 'lower-alpha': 'lowerLetter', 'lower-latin': 'lowerLetter', 'lower-roman': 'lowerRoman' },
  ...{ 'upper-alpha': 'upperLetter', 'upper-latin': 'upperLetter', 'upper-roman': 'upperRoman' },
}

const integer = (text: string | undefined) => (/^\s*\d{1,5}\s*$/.test(text ?? '') ? Number(text) : undefined)

/**
 * The marker of an entry; undefined for none. Its number is included if it does not follow from the previous entry.
 * @param css styles of the list and of the entry
 */
function markerOf(
  list: XmlElement,
  entry: XmlElement,
  css: { level: number; list: Declarations; entry: Declarations },
): EntryMarker | undefined {
  const ordered = list.name === 'ol'
  const declared = typeIn(css.entry) ?? typeIn(css.list) ?? entry.attributes.type ?? list.attributes.type
  if (declared === 'none') return undefined
  const bullet = bullets.find(each => each === declared)
  if (bullet || (!ordered && !ownValue(formats, declared ?? '')))
    return { bullet: bullet ?? bullets[Math.min(2, css.level)]! }
  const first = list.children.find(child => typeof child === 'object' && child.name === 'li') === entry
  const start = integer(entry.attributes.value) ?? (first ? (integer(list.attributes.start) ?? 1) : undefined)
  return { format: ownValue(formats, declared ?? '1') ?? 'decimal', start }
}

function typeIn(css: Declarations): string | undefined {
  if (css['list-style-type']) return css['list-style-type']
  return css['list-style']
    ?.split(' ')
    .find(
      word => word === 'none' || ownValue(formats, word) !== undefined || bullets.some(each => each === word),
    )
}
