/** What every writer of books needs done to a book, once, before it starts. */
import { createHash } from 'node:crypto'
import { bitmapToPng } from '../bmp/to-png.ts'
import { decodePercent, linksOf, relativeHref } from './links.ts'
import { readXhtml } from './markup/document.ts'
import { writeDocument } from './markup/write.ts'
import { isDocument, isPicture, suffixOf } from './media-types.ts'
import type { Book, Resource } from './model.ts'

/**
 * Changes the resources of a book, so that its pictures are files in formats of the web: those written into its text
 * (`data:`, RFC 2397) become resources, and Windows bitmaps become PNG.
 */
export function normalise({ resources }: Book): void {
  for (const resource of [...resources.values()]) {
    if (isDocument(resource.mediaType)) takeOutPictures(resource, resources)
  }
  for (const resource of resources.values()) {
    if (isPicture(resource.mediaType) && isBitmap(resource)) becomePng(resource)
  }
}

const isBitmap = ({ bytes }: Resource) => bytes[0] === 0x42 && bytes[1] === 0x4d

/** Files that are drawings keep theirs, as whatever shows a drawing shows these. */
function takeOutPictures(document: Resource, resources: Book['resources']): void {
  if (!/data:/i.test(Buffer.from(document.bytes).toString('latin1'))) return
  const { root } = readXhtml(document.bytes)
  let isChanged = false
  for (const { element, attribute, value } of linksOf(root)) {
    const picture = pictureIn(value)
    if (!picture) continue
    if (!resources.has(picture.href)) resources.set(picture.href, picture)
    element.attributes[attribute] = relativeHref(document.href, { href: picture.href, fragment: '' })
    isChanged = true
  }
  if (isChanged) document.bytes = Buffer.from(writeDocument(root))
}

/** The picture in a `data:` address, named by its content, so that one shown often is stored once. */
function pictureIn(address: string): Resource | undefined {
  const [, type = '', parameters = '', data = ''] = /^\s*data:([^;,]*)([^,]*),(.*)$/is.exec(address) ?? []
  const mediaType = type.trim().toLowerCase()
  if (!isPicture(mediaType) || data.trim() === '') return undefined
  const text = decodePercent(data)
  const bytes = Buffer.from(text, /;\s*base64\s*$/i.test(parameters) ? 'base64' : 'utf8')
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { href: `data-${hash}.${suffixOf(mediaType)}`, mediaType, bytes, properties: [] }
}

function becomePng(resource: Resource): void {
  try {
    resource.bytes = bitmapToPng(Buffer.from(resource.bytes))
    resource.mediaType = 'image/png'
  } catch {
    // Writers leave out a picture that cannot be read, and say so.
  }
}
