import type { Declarations } from '../../../../books/book/css/cascade.ts'
import { ownValue } from '../../../../common/own-value.ts'
import type { XmlElement } from '../../../../common/xml/element.ts'
import type { NumberFormat } from '../../../word/numbering.ts'

type EntryMarker =
  | { bullet: 'disc' | 'circle' | 'square' }
  | { format: NumberFormat; start: number | undefined }

const bullets = ['disc', 'circle', 'square'] as const
const formats: Record<string, NumberFormat> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  decimal: 'decimal',
  'decimal-leading-zero': 'decimalZero',
  'lower-alpha': 'lowerLetter',
  'lower-latin': 'lowerLetter',
  'upper-alpha': 'upperLetter',
  'upper-latin': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
}

const integer = (text: string | undefined) => (/^\s*\d{1,5}\s*$/.test(text ?? '') ? Number(text) : undefined)

/**
 * The marker of an entry; undefined for none. Its number is included if it does not follow from the previous entry.
 * @param css styles of the list and of the entry
 */
export function markerOf(
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
