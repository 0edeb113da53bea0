/** A page as Tesseract gets it, and what it reads on it. */

import type { Rectangle } from '../../common/rectangle.ts'
import { around, type Pixels } from '../../pictures/pixels.ts'

/** A grey picture of a page, 8 bits, in any rotation. */
export interface DrawnPage extends Pixels {
  dpi: number
  /** Characters that are not on it. */
  unlike?: string
}

/** A word as Tesseract found it; lengths in pixels. */
export interface ReadWord extends Rectangle {
  text: string
  /** 0 to 1. */
  confidence: number
}

/** A line of words in reading order. Lines come in reading order, too: column after column. */
export interface ReadLine {
  words: ReadWord[]
  /** In the middle of the line. */
  baseline: number
  /** From the lowest descender to the highest ascender. */
  height: number
  /** Whether it runs across the page; Tesseract also reads lines that run up or down. */
  level: boolean
}

/** A page as a portable greymap: the simplest file that Tesseract reads. */
export const greymap = (page: DrawnPage): Uint8Array =>
  around(Buffer.from(`P5\n${page.width} ${page.height}\n255\n`), page, new Uint8Array())
