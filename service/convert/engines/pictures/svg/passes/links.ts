/** Makes pictures inside an SVG document readable for the renderer, and removes links to anything outside. */
import { JobFailure } from '../../../../../shared/errors.ts'
import { message } from '../../../../../shared/messages/message.ts'
import { dataAddress, readDataAddress } from '../../../common/addresses.ts'
import { megapixels } from '../../../common/limits.ts'
import { sharp } from '../../sharp/load.ts'
import { sniffKind } from '../../sharp/sniff.ts'
import { PICTURE_NS } from '../cost.ts'
import { type Element, remove, walk } from '../tree.ts'

/** Maximum number of pixels of all pictures in an SVG document together. */
const PIXEL_LIMIT = 100_000_000

/** Nanoseconds for decoding and scaling a pixel. */
const PIXEL_NS = 30

export interface Links {
  /** Whether something outside the document was left out. */
  outside: boolean
  /** Whether a picture in the document could not be read. */
  unreadable: boolean
}

/** Prepares a nested document; returns its text and size. */
export type NestedVectorGraphic = (
  bytes: Buffer,
) => Promise<{ text: string; width: number; height: number; ns: number }>

/**
 * Rewrites every picture of a document.
 * @throws JobFailure too_large for more pixels than an SVG document may have
 */
export async function resolveLinks(root: Element, nested: NestedVectorGraphic): Promise<Links> {
  const found: Links = { outside: false, unreadable: false }
  const budget = { pixels: PIXEL_LIMIT }
  const known = new Map<string, Promise<Picture | undefined>>()
  for (const node of [...walk(root)]) {
    const href = node.attributes.get('href')?.trim()
    if (href === undefined || node.name === 'a' || href.startsWith('#')) continue
    const isPicture = node.name === 'image' || node.name === 'feImage'
    if (isPicture && /^data:/i.test(href)) {
      const pending = known.get(href) ?? read(href, budget, nested)
      known.set(href, pending)
      const picture = await pending
      if (!picture) found.unreadable = true
      if (picture) place(node, picture)
      else if (node.name === 'image') remove(node)
      else node.attributes.delete('href')
    } else {
      if (href !== '') found.outside = true
      if (node.name === 'image' || node.name === 'use') remove(node)
      else node.attributes.delete('href')
    }
  }
  for (const { attributes } of walk(root)) {
    for (const [name, value] of attributes) {
      if (!/url\(\s*["']?\s*[^#"'\s)]/i.test(value) || name === 'href') continue
      found.outside = true
      const fallback = value.slice(value.indexOf(')') + 1).trim()
      if (name === 'fill' || name === 'stroke') attributes.set(name, fallback || 'none')
      else attributes.delete(name)
    }
  }
  return found
}

interface Picture {
  href: string
  /** Nanoseconds for decoding and rendering it. */
  ns: number
  width: number
  height: number
}

/** Uses a picture's own size if one or both lengths are missing (SVG 2, 8.4). */
function place(node: Element, { href, width, height, ns }: Picture): void {
  const { attributes } = node
  attributes.set('href', href)
  attributes.set(PICTURE_NS, String(ns))
  if (node.name !== 'image') return
  const [w, h] = [attributes.get('width'), attributes.get('height')]
  if (w === undefined)
    attributes.set('width', h === undefined ? String(width) : String((Number(h) * width) / height))
  if (h === undefined) attributes.set('height', String((Number(attributes.get('width')) * height) / width))
}

async function read(
  href: string,
  budget: { pixels: number },
  nested: NestedVectorGraphic,
): Promise<Picture | undefined> {
  const { mediaType, bytes } = readDataAddress(href) ?? { mediaType: '', bytes: Buffer.alloc(0) }
  try {
    const kind = sniffKind(bytes)
    if (kind === undefined) {
      const isSvg =
        mediaType === 'image/svg+xml' || /^\s*(<\?xml|<svg|<!)/.test(bytes.toString('latin1', 0, 100))
      if (!isSvg) return undefined
      const { text, width, height, ns } = await nested(bytes)
      return { href: dataAddress('image/svg+xml', Buffer.from(text)), width, height, ns }
    }
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: PIXEL_LIMIT })
    const { width, height, orientation = 1, icc, space, autoOrient } = await picture.metadata()
    budget.pixels -= width * height
    const ns = width * height * PIXEL_NS
    if (budget.pixels < 0) throw tooManyPixels()
    // Pictures that the renderer reads like browsers are left unchanged.
    if ((kind === 'png' || kind === 'jpg') && orientation === 1 && !icc && /^(srgb|b-w)$/.test(space)) {
      return { href: dataAddress(kind === 'png' ? 'image/png' : 'image/jpeg', bytes), ns, width, height }
    }
    const png = await picture.autoOrient().toColourspace('srgb').png({ compressionLevel: 1 }).toBuffer()
    const { width: shownWidth, height: shownHeight } = autoOrient
    return { href: dataAddress('image/png', png), ns, width: shownWidth, height: shownHeight }
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'jobs.too_large') throw error
    return undefined
  }
}

const tooManyPixels = () =>
  new JobFailure('jobs.too_large', message('svg.pictures_too_large', { megapixels: megapixels(PIXEL_LIMIT) }))
