/** Replaces a page by a picture of itself, with the same position and size. */

import { type PDFDocument, PDFNumber, type PDFPage } from '@cantoo/pdf-lib'
import type { Matrix } from '../../common/matrix.ts'
import type { Rectangle } from '../../common/rectangle.ts'
import { keepAnnotations, name, nameEntry, remove } from './objects.ts'

/** Smallest and largest edge of a page in points (ISO 19005-2, 6.1.13). */
export const EDGES = { least: 3, most: 14_400 }

/** The visible part of a page: its crop box within its media box. */
export function shownBox(page: PDFPage): Rectangle {
  const media = page.getMediaBox()
  const crop = page.getCropBox()
  const left = Math.max(media.x, crop.x)
  const bottom = Math.max(media.y, crop.y)
  const right = Math.min(media.x + media.width, crop.x + crop.width)
  const top = Math.min(media.y + media.height, crop.y + crop.height)
  if (right <= left || top <= bottom) return media
  return { x: left, y: bottom, width: right - left, height: top - bottom }
}

const turnsOf = (page: PDFPage) =>
  (((Math.round(page.getRotation().angle / 90) % 4) + 4) % 4) as 0 | 1 | 2 | 3

/** Maps the unit square, as the page is displayed, to the page's own coordinates. */
export function shownMatrix(page: PDFPage, { x, y, width, height }: Rectangle = shownBox(page)): Matrix {
  const matrices: Record<0 | 1 | 2 | 3, Matrix> = {
    0: [width, 0, 0, height, x, y],
    1: [0, height, -width, 0, x + width, y],
    2: [-width, 0, 0, -height, x + width, y + height],
    3: [0, -height, width, 0, x, y + height],
  }
  return matrices[turnsOf(page)]
}

/** Replaces everything that a page draws by a picture, including annotations except links. A page of a forbidden size is scaled. */
export async function replaceByImage(document: PDFDocument, page: PDFPage, jpeg: Uint8Array): Promise<void> {
  const { context } = document
  const { node } = page
  const image = await document.embedJpg(jpeg)
  const box = shownBox(page)
  const scale = fittingScale(box)
  const shown = scale === 1 ? box : { x: 0, y: 0, width: box.width * scale, height: box.height * scale }
  shown.width = Math.max(EDGES.least, shown.width)
  shown.height = Math.max(EDGES.least, shown.height)
  const corners = [shown.x, shown.y, shown.x + shown.width, shown.y + shown.height]
  remove(node, 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox')
  remove(node, 'Group', 'Resources', 'UserUnit', 'StructParents', 'Tabs')
  node.set(name('MediaBox'), context.obj(corners))
  node.set(name('Rotate'), PDFNumber.of(turnsOf(page) * 90))
  const matrix = shownMatrix(page, shown).map(value => Math.round(value * 1e4) / 1e4)
  node.set(name('Resources'), context.obj({ XObject: { Im0: image.ref }, Font: {}, ExtGState: {} }))
  const content = context.flateStream(`q ${matrix.join(' ')} cm /Im0 Do Q`)
  node.set(name('Contents'), context.obj([context.register(content)]))
  keepAnnotations(node, annotation => scale === 1 && nameEntry(annotation, 'Subtype') === 'Link')
}

/** The scale that brings a page of a forbidden size to the nearest permitted one. */
function fittingScale({ width, height }: Rectangle): number {
  const longest = Math.max(width, height)
  const shortest = Math.min(width, height)
  if (longest > EDGES.most) return EDGES.most / longest
  return shortest < EDGES.least ? Math.min(EDGES.least / shortest, EDGES.most / longest) : 1
}
