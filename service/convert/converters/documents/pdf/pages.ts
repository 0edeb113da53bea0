/** Converts pages of a PDF to pictures: PDFium draws each page, which is encoded while the next one is drawn. */
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { openPdf, type PageSize, type PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { joinTiffs } from '../../../engines/pictures/formats/tiff-join.ts'
import { type Pixels, release } from '../../../engines/pictures/pixels.ts'
import { sharpFailure } from '../../../engines/pictures/sharp/failure.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import type { PagePictureOptions, PdfPictureOptions } from '../options.ts'
import { chosenPages, warnOfSource, warnOfUnread } from './chosen-pages.ts'

/** Maximum number of pixels of a page, 450 MB of RGB: an A0 page at 300 dpi. */
const PAGE_PIXELS = 150_000_000
/** Maximum edges that libjpeg and libwebp write. */
const EDGE_PIXELS = 65_500
const WEBP_EDGE_PIXELS = 16_383
/** Maximum number of pixels waiting for their encoder, to limit memory whatever the size of pages. */
const WAITING_PIXELS = 40_000_000

export async function convert(task: Task<PdfPictureOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  using pdf = await openPdf(task.input.path, task.options.password)
  return await drawPages(task, pdf, task.options)
}

/**
 * Draws the selected pages, one output for each. Pages that cannot be read are left out, with a warning.
 * @throws JobFailure too_many_pages, unsupported_input if no page is selected, corrupt_input if none can be read
 */
export async function drawPages(
  task: Task,
  pdf: PdfDocument,
  { dpi, pages, grey, quality, transparent = false }: PagePictureOptions,
): Promise<Output[]> {
  const chosen = chosenPages(pdf.pageCount, pages)
  const target = task.target as Encoding['target']
  warnOfSource(task, pdf, chosen)
  const outputs: (Output | undefined)[] = []
  const encoding = new Set<Promise<void>>()
  let waitingPixels = 0
  let smaller = 0
  for (const [position, page] of chosen.entries()) {
    task.progress(position / chosen.length, 'converting')
    const size = pdf.pageSize(page)
    const raster = size && rasterOf(size, dpi, target === 'webp' ? WEBP_EDGE_PIXELS : EDGE_PIXELS)
    if (!raster) continue
    const { width, height, fits } = raster
    const pixels = width * height
    // One core draws while the others encode.
    while (encoding.size > 0 && (encoding.size >= task.cores || waitingPixels + pixels > WAITING_PIXELS))
      await Promise.race(encoding)
    const drawn = pdf.render(page, { width, height, alpha: transparent })
    if (!drawn) continue
    if (!fits) smaller++
    const path = join(task.folder, `page-${position}.${target}`)
    outputs[position] = { path }
    waitingPixels += pixels
    const written: Promise<void> = encode(drawn, path, { dpi, grey, quality, target }).finally(() => {
      waitingPixels -= pixels
      encoding.delete(written)
    })
    encoding.add(written)
    if (task.cores === 1) await written
  }
  await Promise.all(encoding)
  const found = outputs.filter(output => output !== undefined)
  warnOfUnread(task, found.length, chosen.length)
  if (smaller > 0) task.warn(message('pdf.pages_drawn_smaller', { pages: smaller, dpi }))
  if (target !== 'tiff') return found
  const path = join(task.folder, 'output.tiff')
  await joinTiffs(
    found.map(output => output.path),
    path,
  )
  return [{ path }]
}

/** Size of a page in pixels, and whether it is the requested one. */
export function rasterOf(
  { width, height }: PageSize,
  dpi: number,
  most = EDGE_PIXELS,
): { width: number; height: number; fits: boolean } {
  // Rounding errors of single precision must not add a pixel to a whole number.
  const edge = (points: number, scale: number) => Math.max(1, Math.ceil((points * scale) / 72 - 0.01))
  const limit = Math.min(
    (most * 72) / Math.max(width, height),
    72 * Math.sqrt(PAGE_PIXELS / (width * height)),
  )
  if (dpi <= limit) return { width: edge(width, dpi), height: edge(height, dpi), fits: true }
  return {
    width: Math.min(most, edge(width, limit)),
    height: Math.min(most, edge(height, limit)),
    fits: false,
  }
}

interface Encoding {
  dpi: number
  grey: boolean
  /** For a JPEG or WebP; others have none. */
  quality?: number | undefined
  target: 'jpg' | 'png' | 'tiff' | 'webp'
}

/** Optimised Huffman tables take three times as long for a tenth less; PNG's filters only slow pages of text down. */
const ENCODERS: Record<Encoding['target'], (pipeline: Sharp, quality?: number) => Sharp> = {
  jpg: (pipeline, quality = 90) =>
    pipeline.jpeg({
      quality,
      chromaSubsampling: quality >= 90 ? '4:4:4' : '4:2:0',
      optimiseCoding: false,
    }),
  png: pipeline => pipeline.png({ compressionLevel: 6 }),
  tiff: pipeline => pipeline.tiff({ compression: 'lzw', predictor: 'horizontal' }),
  webp: (pipeline, quality = 90) => pipeline.webp({ quality }),
}

async function encode(drawn: Pixels, path: string, { dpi, grey, quality, target }: Encoding): Promise<void> {
  const { data, width, height } = drawn
  const channels = drawn.channels as 3 | 4
  try {
    let pipeline = sharp(data, { raw: { width, height, channels } }).withDensity(dpi)
    if (grey) pipeline = pipeline.toColourspace('b-w')
    await ENCODERS[target](pipeline, quality).toFile(path)
  } catch (error) {
    throw sharpFailure(error)
  } finally {
    release(drawn)
  }
}
