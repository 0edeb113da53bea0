/**
 * CSS of what stands where it stood on a printed page. Two properties are our own, since the Word writer alone reads them:
 * `-refile-pitch`, the exact height of lines, or 0 for lines as high as what is in them; and `-refile-size`, a size of text that
 * does not depend on the text around it. Both are in points.
 */
import type { Marks, Place, Table, TableCell, TableRow, TextLook } from '../../model.ts'

const SIDES = { left: 'start', right: 'end', center: 'center', justify: 'justify' } as const

/** Points that a box extends beyond the room on the right, in which lines may end anywhere. */
const BESIDE = 4

const points = (...lengths: number[]) => lengths.map(length => `${+length.toFixed(2)}pt`).join(' ')

const hex = (colour: number): string => `#${colour.toString(16).padStart(6, '0')}`

const attribute = (declarations: Record<string, string | number | undefined>) => {
  const known = Object.entries(declarations).filter(([, value]) => value !== undefined)
  return known.length > 0 ? ` style="${known.map(([name, value]) => `${name}:${value}`).join(';')}"` : ''
}

/** The `style` of a block; empty if its place is not known. */
export function placeStyle(place: Place | undefined, more: Record<string, string | undefined> = {}): string {
  if (!place) return ''
  const { align, left, right, first, before, pitch, box, starts } = place
  return attribute({
    '-refile-pitch': +pitch.toFixed(2),
    'text-align': SIDES[align],
    margin: points(before, right - (box ? BESIDE : 0), 0, left - (box?.left ?? 0)),
    'text-indent': points(first),
    'break-before': starts,
    ...(box && {
      'background-color': hex(box.colour),
      padding: points(box.top, BESIDE, box.bottom, box.left),
    }),
    ...more,
  })
}

export const rowStyle = ({ height }: TableRow): string =>
  attribute({ height: height === undefined ? undefined : points(height) })

export const cellStyle = ({ place, isRuled }: Table, { height }: TableRow, { fill }: TableCell): string =>
  place
    ? attribute({
        border: isRuled ? undefined : 'none',
        'background-color': fill === undefined ? undefined : hex(fill),
        'vertical-align': height === undefined ? undefined : 'middle',
      })
    : ''

/** The `style` of text; raised and lowered letters have the size that programs give them. */
export const lookStyle = ({ size, colour, family }: TextLook, { superscript, subscript }: Marks): string =>
  attribute({
    '-refile-size': superscript || subscript ? undefined : size,
    'font-family': `'${family.replace(/[^\p{L}\p{N} _.+-]/gu, '')}'`,
    color: colour === 0 ? undefined : hex(colour),
  })
