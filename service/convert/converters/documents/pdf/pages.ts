/** Converts pages of a PDF to pictures: PDFium draws each page, which is encoded while the next one is drawn. */
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import type { PageSize, PdfDocument } from '../../../engines/pdf/pdfium/document.ts'
import { type Pixels, release } from '../../../engines/pictures/pixels.ts'
import { sharpFailure } from '../../../engines/pictures/sharp/failure.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import type { PagePictureOptions } from '../options.ts'
import { chosenPages, warnOfSource } from './chosen-pages.ts'

/** Maximum number of pixels of a page, 450 MB of RGB: an A0 page at 300 dpi. */
const PAGE_PIXELS = 150_000_000
/** Maximum edge that libjpeg writes. */
const EDGE_PIXELS = 65_500
/** Maximum number of pixels waiting for their encoder, to limit memory whatever the size of pages. */
const WAITING_PIXELS = 40_000_000

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
  warnOfSource(task, pdf, chosen)
  const outputs: (Output | undefined)[] = []
  const encoding = new Set<Promise<void>>()
  let waitingPixels = 0
  let smaller = 0
  for (const [position, page] of chosen.entries()) {
    task.progress(position / chosen.length, 'converting')
    const size = pdf.pageSize(page)
    const raster = size && rasterOf(size, dpi)
    if (!raster) continue
    const { width, height, fits } = raster
    const pixels = width * height
    // One core draws while the others encode.
    while (encoding.size > 0 && (encoding.size >= task.cores || waitingPixels + pixels > WAITING_PIXELS))
      await Promise.race(encoding)
    const drawn = pdf.render(page, { width, height, alpha: transparent })
    if (!drawn) continue
    if (!fits) smaller++
    const path = join(task.folder, `output-${position}.${task.target}`)
    outputs[position] = { path }
    waitingPixels += pixels
    const written: Promise<void> = encode(drawn, path, { dpi, grey, quality }).finally(() => {
      waitingPixels -= pixels
      encoding.delete(written)
    })
    encoding.add(written)
    if (task.cores === 1) await written
  }
  await Promise.all(encoding)
  const found = outputs.filter(output => output !== undefined)
  if (found.length === 0) throw new JobFailure('jobs.corrupt_input', message('pdf.no_readable_page'))
  if (found.length < chosen.length)
    task.warn(message('pdf.pages_left_out', { pages: chosen.length - found.length }))
  if (smaller > 0) task.warn(message('pdf.pages_drawn_smaller', { pages: smaller, dpi }))
  return found
}

/** Size of a page in pixels, and whether it is the requested one. */
export function rasterOf(
  { width, height }: PageSize,
  dpi: number,
): { width: number; height: number; fits: boolean } {
  // Rounding errors of single precision must not add a pixel to a whole number.
  const edge = (points: number, scale: number) => Math.max(1, Math.ceil((points * scale) / 72 - 0.01))
  const limit = Math.min(
    (EDGE_PIXELS * 72) / Math.max(width, height),
    72 * Math.sqrt(PAGE_PIXELS / (width * height)),
  )
  if (dpi <= limit) return { width: edge(width, dpi), height: edge(height, dpi), fits: true }
  return {
    width: Math.min(EDGE_PIXELS, edge(width, limit)),
    height: Math.min(EDGE_PIXELS, edge(height, limit)),
    fits: false,
  }
}

interface Encoding {
  dpi: number
  grey: boolean
  /** For a JPEG; a PNG has none. */
  quality?: number | undefined
}

async function encode(drawn: Pixels, path: string, { dpi, grey, quality }: Encoding): Promise<void> {
  const { data, width, height } = drawn
  const channels = drawn.channels as 3 | 4
  try {
    let pipeline = sharp(data, { raw: { width, height, channels } }).withDensity(dpi)
    if (grey) pipeline = pipeline.toColourspace('b-w')
    // Optimised Huffman tables take three times as long for a tenth less; PNG's filters only slow pages of text down.
    pipeline =
      quality === undefined
        ? pipeline.png({ compressionLevel: 6 })
        : pipeline.jpeg({
            quality,
            chromaSubsampling: quality >= 90 ? '4:4:4' : '4:2:0',
            optimiseCoding: false,
          })
    await pipeline.toFile(path)
  } catch (error) {
    throw sharpFailure(error)
  } finally {
    release(drawn)
  }
}
