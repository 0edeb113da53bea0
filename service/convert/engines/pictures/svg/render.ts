/** Renders a prepared document with resvg. */
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { checkPixels, megapixels } from '../../common/limits.ts'
import { resource } from '../../common/resources.ts'
import { unpremultiply } from '../pixels.ts'
import { checkCost } from './cost.ts'
import { needsSystemFonts } from './fonts/faces.ts'
import { withoutOutside } from './outside.ts'
import type { VectorGraphic } from './prepare.ts'
import { element, serialize, walk } from './tree.ts'

/** Larger documents are rendered in bands, since the renderer holds each of its pictures twice. */
const BAND_PIXELS = 32_000_000
/** Filters look beyond the edge of a band, so a document with filters is rendered at once, up to this size. */
const FILTERED_PIXEL_LIMIT = 128_000_000

/**
 * Renders a document at a size in pixels, whatever its own.
 * @param fontFiles paths of the document's own fonts
 * @returns RGBA, not premultiplied
 * @throws JobFailure too_large, corrupt_input
 */
export function renderVectorGraphic(
  vectorGraphic: VectorGraphic,
  width: number,
  height: number,
  fontFiles: string[],
): Uint8Array {
  checkPixels(width, height)
  checkCost(vectorGraphic.root, vectorGraphic, width, height)
  const options = optionsOf(vectorGraphic, fontFiles)
  outlineNestedText(vectorGraphic, options)
  const rows = Math.floor(BAND_PIXELS / width)
  if (height <= rows) return drawBand(vectorGraphic, width, height, 0, height, options)
  if (usesFilters(vectorGraphic)) {
    if (width * height > FILTERED_PIXEL_LIMIT) {
      throw new JobFailure(
        'jobs.too_large',
        message('picture.result_too_large', { megapixels: megapixels(FILTERED_PIXEL_LIMIT) }),
      )
    }
    return drawBand(vectorGraphic, width, height, 0, height, options)
  }
  const pixels = new Uint8Array(width * height * 4)
  for (let top = 0; top < height; top += rows) {
    pixels.set(
      drawBand(vectorGraphic, width, height, top, Math.min(rows, height - top), options),
      top * width * 4,
    )
  }
  return pixels
}

const usesFilters = ({ root }: VectorGraphic): boolean =>
  [...walk(root)].some(({ attributes }) => attributes.has('filter'))

function drawBand(
  vectorGraphic: VectorGraphic,
  width: number,
  height: number,
  top: number,
  rows: number,
  options: ResvgRenderOptions,
): Uint8Array {
  const { root } = vectorGraphic
  const unit = vectorGraphic.height / height
  const view = {
    width,
    height: rows,
    viewBox: `0 ${top * unit} ${vectorGraphic.width} ${rows * unit}`,
    preserveAspectRatio: 'none',
  }
  // The document keeps its own view box inside. Its edges are those of the picture, so nothing has to be clipped.
  root.attributes.set('overflow', 'visible')
  const seen = { left: 0, top: top * unit, right: vectorGraphic.width, bottom: (top + rows) * unit }
  const text = serialize(element('svg', view, [withoutOutside(root, vectorGraphic, seen)]))
  try {
    const renderer = new Resvg(text, options)
    return unpremultiply(renderer.render().pixels)
  } catch (cause) {
    throw new JobFailure('jobs.corrupt_input', undefined, { cause })
  }
}

const optionsOf = ({ root }: VectorGraphic, fontFiles: string[]): ResvgRenderOptions => ({
  dpi: 96,
  font: {
    // Reading the names of all available fonts takes up to half a second.
    loadSystemFonts: needsSystemFonts(root),
    fontFiles,
    fontDirs: [resource('fonts')],
    defaultFontSize: 16,
    defaultFontFamily: 'Tinos',
    serifFamily: 'Tinos',
    sansSerifFamily: 'Arimo',
    monospaceFamily: 'Cousine',
    cursiveFamily: 'Arimo',
    fantasyFamily: 'Arimo',
  },
})

const NESTED = 'data:image/svg+xml;base64,'

/** The renderer draws no text in nested documents, but can convert it to outlines. */
function outlineNestedText({ root }: VectorGraphic, options: ResvgRenderOptions): void {
  const outlined = new Map<string, string>()
  for (const { name, attributes } of walk(root)) {
    const href = attributes.get('href')
    if (name !== 'image' || !href?.startsWith(NESTED)) continue
    const text = Buffer.from(href.slice(NESTED.length), 'base64').toString()
    if (!text.includes('<text')) continue
    try {
      const known =
        outlined.get(href) ?? NESTED + Buffer.from(new Resvg(text, options).toString()).toString('base64')
      outlined.set(href, known)
      attributes.set('href', known)
    } catch (cause) {
      throw new JobFailure('jobs.corrupt_input', undefined, { cause })
    }
  }
}
