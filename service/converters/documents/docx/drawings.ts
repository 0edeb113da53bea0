/** Drawings of Windows in a document (EMF, WMF) as PNG: LibreOffice draws them, PDFium makes pixels of that. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from '../../../engines/formats/metafile.ts'
import { stop } from '../../../engines/office/engine.ts'
import { drawMetafile } from '../../../engines/office/metafile.ts'
import { openPdf } from '../../../engines/pdfium/document.ts'
import { release } from '../../../engines/pixels.ts'
import { openPicture } from '../../../engines/sharp/picture.ts'
import { JobFailure } from '../../../errors.ts'

/** Time for one drawing, which includes the start of LibreOffice, and for all of them; the rest stay what they are. */
const DRAWING_MS = 60_000
const ALL_MS = 180_000
const DRAWING_LIMIT = 300

/** Pixels for each inch, half as many again as a screen has. */
const DPI = 144
const POINTS_PER_INCH = 72
/** Points a drawing is set in; smaller and larger ones are brought within. */
const SMALLEST = 4
const LARGEST = 1400
const WHITE = 255
/** A drawing that tells no size. */
const USUAL = { width: 360, height: 270 }

interface Size {
  /** Points; 0 where it is not told. */
  width: number
  height: number
}

/** Draws drawings one after the other, within limits of time and number. It has to be closed, which ends LibreOffice. */
export class DrawingBoard implements AsyncDisposable {
  readonly #folder: string
  readonly #until = Date.now() + ALL_MS
  #count = 0
  #isMissing = false

  /** @param folder for files on the way */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * @param shown the size it has in the document
   * @returns a PNG on white; undefined for a drawing that cannot be drawn, or of which nothing is seen
   */
  async draw(drawing: Metafile, shown: Size): Promise<Buffer | undefined> {
    const time = Math.min(DRAWING_MS, this.#until - Date.now())
    if (this.#isMissing || time <= 0 || ++this.#count > DRAWING_LIMIT) return undefined
    const size = sizeOf(shown, drawing)
    // Nothing ends what LibreOffice is busy with but its own end.
    const timer = setTimeout(() => void stop(), time)
    try {
      const pdf = await drawMetafile(drawing, size)
      return pdf && (await this.#pixels(pdf, size))
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      if (error.code === 'jobs.engine_missing') this.#isMissing = true
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  async #pixels(pdf: Uint8Array, { width, height }: Size): Promise<Buffer | undefined> {
    const folder = await mkdtemp(join(this.#folder, 'drawing-'))
    try {
      const path = join(folder, 'page.pdf')
      await writeFile(path, pdf)
      using document = await openPdf(path)
      const page = document.pageSize(0)
      if (!page) return undefined
      const scale = DPI / POINTS_PER_INCH
      const pixels = (points: number) => Math.max(1, Math.round(points * scale))
      const drawn = document.render(0, { width: pixels(page.width), height: pixels(page.height) })
      if (!drawn) return undefined
      const picture = await openPicture(drawn)
      const cut = picture.open().extract({
        left: 0,
        top: 0,
        width: Math.min(drawn.width, pixels(width)),
        height: Math.min(drawn.height, pixels(height)),
      })
      const { channels } = await cut.clone().stats()
      const png = await cut.png().toBuffer()
      release(drawn)
      return channels.every(({ min }) => min === WHITE) ? undefined : png
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#count > 0) await stop()
  }
}

/** The size it is shown in, or its own, within bounds. */
function sizeOf(shown: Size, own: Size): Size {
  const isTold = ({ width, height }: Size) => width > 0 && height > 0
  const { width, height } = [shown, own].find(isTold) ?? USUAL
  const scale = Math.min(1, LARGEST / Math.max(width, height))
  return { width: Math.max(SMALLEST, width * scale), height: Math.max(SMALLEST, height * scale) }
}
