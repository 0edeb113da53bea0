/** Converts metafiles in a document (EMF, WMF) to PNG: LibreOffice draws them as PDF, PDFium renders that. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { openPdf } from '../../pdf/pdfium/document.ts'
import type { Metafile } from '../../pictures/formats/metafile.ts'
import { release } from '../../pictures/pixels.ts'
import { openPicture } from '../../pictures/sharp/picture.ts'
import { stop } from '../office/engine.ts'
import { drawMetafile } from '../office/metafile.ts'

/** Time limits for one metafile, which includes the start of LibreOffice, and for all of them; the rest are not drawn. */
const METAFILE_MS = 60_000
const ALL_MS = 180_000
const METAFILE_LIMIT = 300

/** Pixels per inch, one and a half times those of a screen. */
const DPI = 144
const POINTS_PER_INCH = 72
/** Limits of the size of a metafile, in points. */
const SMALLEST = 4
const LARGEST = 1400
const WHITE = 255
/** The size of a metafile that has none. */
const USUAL = { width: 360, height: 270 }

interface Size {
  /** Points; 0 if unknown. */
  width: number
  height: number
}

/** Renders one metafile after another, within limits of time and number. It must be disposed of, which ends LibreOffice. */
export class MetafileRenderer implements AsyncDisposable {
  readonly #folder: string
  readonly #until = Date.now() + ALL_MS
  #count = 0
  #isMissing = false

  /** @param folder for temporary files */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** As `drawnMetafile`, but nothing that goes wrong with a metafile is thrown. */
  async draw(metafile: Metafile, shown: Size): Promise<Buffer | undefined> {
    const time = Math.min(METAFILE_MS, this.#until - Date.now())
    if (this.#isMissing || time <= 0 || ++this.#count > METAFILE_LIMIT) return undefined
    // The only way to interrupt LibreOffice is to end it.
    const timer = setTimeout(() => void stop(), time)
    try {
      return await drawnMetafile(metafile, shown, this.#folder)
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error
      if (error.code === 'jobs.engine_missing') this.#isMissing = true
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#count > 0) await stop()
  }
}

/**
 * Draws a metafile.
 * @param shown its size in the document, if it has one there
 * @param parent folder for temporary files
 * @returns a PNG on white; undefined if it cannot be drawn or shows nothing
 * @throws JobFailure engine_missing, too_large, engine_crashed
 */
export async function drawnMetafile(
  metafile: Metafile,
  shown: Size,
  parent: string,
): Promise<Buffer | undefined> {
  const { width, height } = sizeOf(shown, metafile)
  const pdf = await drawMetafile(metafile, { width, height })
  if (!pdf) return undefined
  const folder = await mkdtemp(join(parent, 'metafile-'))
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

/** Its size in the document, or its own, within limits. */
function sizeOf(shown: Size, own: Size): Size {
  const isSized = ({ width, height }: Size) => width > 0 && height > 0
  const { width, height } = [shown, own].find(isSized) ?? USUAL
  const scale = Math.min(1, LARGEST / Math.max(width, height))
  return { width: Math.max(SMALLEST, width * scale), height: Math.max(SMALLEST, height * scale) }
}
