/** The pictures of pages: those in the file, and figures made of lines and curves. */

import { createHash } from 'node:crypto'
import { around, overlap, unionOf } from '../../../../engines/common/rectangle.ts'
import type { ImageContent, ImagePixels } from '../../../../engines/pdf/content/image.ts'
import type { PdfPage } from '../../../../engines/pdf/content/page.ts'
import type { PageContent, PdfImage, Rectangle } from '../../../../engines/pdf/content/types.ts'
import type { PagePicture } from './model.ts'
import { isInside } from './ruled-tables.ts'

/** Smaller pictures are ornaments, in points. */
const SMALLEST = 14
/** Maximum size of all pictures of a document in bytes. */
const LIMIT_BYTES = 300 * 2 ** 20
/** Pixels per inch at which figures are rendered. */
const FIGURE_DENSITY = 200

export interface PositionedPicture {
  box: Rectangle
  /** Number of its marked content, -1 for none. */
  content: number
  picture: number
}

/** Pictures encoded at once. */
const AT_ONCE = 4

/** The pictures of a document, each stored once. They are encoded while further pages are read. */
export class PictureStore {
  readonly #pictures: PagePicture[] = []
  readonly #known = new Map<string, number>()
  readonly #encoding = new Set<Promise<void>>()
  #bytes = 0
  /** Number of pictures that were damaged or exceeded the limit. */
  lost = 0
  readonly #isLossless: boolean

  /** @param options `isLossless`: whether none becomes a JPEG that was not one */
  constructor({ isLossless = false } = {}) {
    this.#isLossless = isLossless
  }

  /** Index of a picture; -1 if it is not available. */
  async add(content: ImageContent | null): Promise<number> {
    if (!content || this.#bytes > LIMIT_BYTES) {
      this.lost += 1
      return -1
    }
    const data = 'jpeg' in content ? content.jpeg : content.pixels.data
    const key = createHash('sha1').update(data).digest('base64')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    while (this.#encoding.size >= AT_ONCE) await Promise.race(this.#encoding)
    const index = this.#known.size
    this.#known.set(key, index)
    const done: Promise<void> = encoded(content, this.#isLossless).then(picture => {
      this.#pictures[index] = picture
      this.#bytes += picture.data.length
      this.#encoding.delete(done)
    })
    this.#encoding.add(done)
    return index
  }

  async finished(): Promise<PagePicture[]> {
    await Promise.all(this.#encoding)
    return this.#pictures
  }
}

async function encoded(content: ImageContent, isLossless: boolean): Promise<PagePicture> {
  if ('jpeg' in content) return { data: content.jpeg, type: 'jpg' }
  const { sharp } = await import('../../../../engines/pictures/sharp/load.ts')
  const { data, width, height, channels } = content.pixels
  const image = sharp(data, { raw: { width, height, channels } })
  if (!isLossless && isPhotograph(content.pixels))
    return { data: await image.removeAlpha().jpeg({ quality: 90 }).toBuffer(), type: 'jpg' }
  return { data: await image.png({ compressionLevel: 6 }).toBuffer(), type: 'png' }
}

/** Number of samples taken from a picture, and how many colours among them make it a photograph. */
const SAMPLES = 4000
const PHOTOGRAPH_COLOURS = 1000

/** Whether a picture is opaque and has the many colours of a photograph, which PNG compresses badly. */
function isPhotograph({ data, channels }: ImagePixels): boolean {
  const pixels = data.length / channels
  const step = Math.max(1, Math.floor(pixels / SAMPLES))
  const colours = new Set<number>()
  for (let at = 0; at < data.length; at += step * channels) {
    if (channels === 4 && data[at + 3] !== 255) return false
    colours.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!)
  }
  return colours.size > PHOTOGRAPH_COLOURS
}

const area = ({ width, height }: Rectangle) => Math.max(0, width) * Math.max(0, height)

/** Whether a picture covers nearly the whole page. */
export const fillsPage = (image: Rectangle, { width, height }: PageContent): boolean =>
  image.width > width * 0.85 && image.height > height * 0.85

/** Pictures of a page that belong to its text, with their positions. */
export async function picturesOf(
  page: PdfPage,
  store: PictureStore,
  inTables: readonly Rectangle[],
): Promise<PositionedPicture[]> {
  const { content } = page
  const hasText = content.text.length > 20
  const wanted = content.images.filter(
    image =>
      !image.artefact &&
      image.width >= SMALLEST &&
      image.height >= SMALLEST &&
      // A background below the text, or the scan of a page with recognised text.
      !(hasText && fillsPage(image, content)),
  )
  const figures = figuresOf(content, inTables)
  const positioned: PositionedPicture[] = []
  for (const image of tiles(wanted)) {
    if (figures.some(figure => isInside(image.box, figure))) continue
    const picture = await store.add(
      image.parts.length === 1 ? page.image(image.parts[0]!) : page.picture(image.box, FIGURE_DENSITY),
    )
    if (picture >= 0) positioned.push({ box: image.box, picture, content: image.parts[0]!.content })
  }
  for (const box of figures) {
    const picture = await store.add(page.picture(box, FIGURE_DENSITY))
    if (picture >= 0) positioned.push({ box, picture, content: -1 })
  }
  return positioned
}

/** Pictures that touch each other and have the same edges are strips of one picture. */
function tiles(images: readonly PdfImage[]): { box: Rectangle; parts: PdfImage[] }[] {
  const found: { box: Rectangle; parts: PdfImage[] }[] = []
  for (const image of images) {
    const last = found.at(-1)
    const below =
      last &&
      Math.abs(last.box.x - image.x) < 1 &&
      Math.abs(last.box.width - image.width) < 1 &&
      Math.abs(last.box.y + last.box.height - image.y) < 1
    if (below) {
      last.box = { ...last.box, height: image.y + image.height - last.box.y }
      last.parts.push(image)
    } else
      found.push({
        box: { x: image.x, y: image.y, width: image.width, height: image.height },
        parts: [image],
      })
  }
  return found
}

const MIN_FIGURE = 40
/** Parts of a figure are at most this far apart, in points. */
const FIGURE_GAP = 12
const FIGURE_PARTS = 3

/** Positions of figures: clusters of curves and slanted lines, with the lines, boxes and pictures among them. */
function figuresOf(content: PageContent, inTables: readonly Rectangle[]): Rectangle[] {
  const { paths, width, height } = content
  if (paths.length < FIGURE_PARTS || paths.length > 20_000) return []
  const small = paths.filter(
    box => area(box) < width * height * 0.5 && !inTables.some(table => isInside(box, table)),
  )
  const clusters = clustersOf(small)
  const lines = content.rulings.map(({ x1, y1, x2, y2 }) => ({
    x: x1,
    y: y1,
    width: x2 - x1,
    height: y2 - y1,
  }))
  return clusters
    .filter(({ count }) => count >= FIGURE_PARTS)
    .map(({ box }) => {
      let grown = box
      for (const part of [...lines, ...content.boxes, ...content.images]) {
        if (area(part) < width * height * 0.5 && overlap(grown, part)) grown = unionOf([grown, part])!
      }
      return clipped(grown, content)
    })
    .filter(
      box =>
        box.width > MIN_FIGURE &&
        box.height > MIN_FIGURE &&
        box.height < height * 0.85 &&
        !inTables.some(table => overlap(table, box)),
    )
}

const clipped = ({ x, y, width, height }: Rectangle, page: PageContent): Rectangle => {
  const [left, top] = [Math.max(0, x - 2), Math.max(0, y - 2)]
  return {
    x: left,
    y: top,
    width: Math.min(page.width, x + width + 2) - left,
    height: Math.min(page.height, y + height + 2) - top,
  }
}

function clustersOf(boxes: readonly Rectangle[]): { box: Rectangle; count: number }[] {
  const clusters: { box: Rectangle; count: number }[] = []
  for (const box of boxes.toSorted((one, other) => one.y - other.y)) {
    let merged = { box, count: 1 }
    for (let index = clusters.length - 1; index >= 0; index--) {
      const cluster = clusters[index]!
      if (!overlap(around(cluster.box, FIGURE_GAP), merged.box)) continue
      merged = { box: unionOf([cluster.box, merged.box])!, count: cluster.count + merged.count }
      clusters.splice(index, 1)
    }
    clusters.push(merged)
    if (clusters.length > 500) return []
  }
  return clusters
}
