import { decodePercent } from '../../../engines/common/addresses.ts'
import { literal } from '../../../engines/documents/typst/index.ts'
import type { Context } from './context.ts'

/** A picture in its own size, or reduced to fit; a note in place of a picture that is not in the file. */
export function setPicture(
  address: string,
  description: string,
  inLink: boolean,
  context: Context,
  wanted?: { width?: number | undefined },
): string {
  const picture = context.picture(address)
  if (!picture) return noteFor(address, description, inLink, context)
  const { width: roomWidth, height: roomHeight } = context.area
  const scale = Math.min(
    (wanted?.width ?? picture.width) / picture.width,
    (roomHeight * 0.9) / picture.height,
  )
  const width = picture.width * scale
  const alt = description ? `, alt: ${literal(description)}` : ''
  // A wide picture fills its container, which may be narrower than the page.
  const size = width > roomWidth * 0.6 ? percent(width / roomWidth) : points(width)
  return `#box(image(${literal(picture.path)}, width: ${size}${alt}));`
}

const points = (value: number) => `${Math.max(1, value).toFixed(1)}pt`
const percent = (share: number) => `${Math.min(100, share * 100).toFixed(1)}%`

function noteFor(address: string, description: string, inLink: boolean, context: Context): string {
  context.lostPicture(address)
  const name = description || (address.startsWith('data:') ? '' : decodedName(address))
  const note = `#note[${context.text(name ? `[${name}]` : '[picture]')}]`
  return /^https?:\/\//i.test(address) && !inLink ? `#link(${literal(address)})[${note}];` : `${note};`
}

/** The file name of an address. */
const decodedName = (address: string): string =>
  decodePercent(/([^/\\]*?)(?:[?#].*)?$/.exec(address)?.[1] ?? '')
