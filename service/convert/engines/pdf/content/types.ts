/**
 * The content of PDF pages. Lengths are in points. The origin is the upper left corner of the page as displayed; a page
 * with mostly rotated text is rotated so that its text is upright.
 */

import type { Rectangle } from '../../common/rectangle.ts'
import type { Handle } from '../pdfium/library.ts'

export type { Rectangle }

export interface PdfFont {
  /** As in the file, without the subset prefix. */
  name: string
  bold: boolean
  italic: boolean
  monospace: boolean
}

/** A word, or a part of a word with uniform formatting. */
export interface TextItem extends Rectangle {
  /** In logical order, without spaces. */
  text: string
  /** y of its baseline. */
  baseline: number
  /** Font size as displayed. */
  size: number
  font: PdfFont
  /** As 0xrrggbb. */
  colour: number
  /** Whether it follows the previous item without a space. */
  joined: boolean
  /** Whether it is invisible text for search and copying, such as the text layer that OCR adds to a scan. */
  hidden: boolean
  /** Number of its marked content; -1 if none. */
  content: number
  /** Whether it is an artefact, such as a running head or page number, and not part of the text. */
  artefact: boolean
  /** Replacement text of its marked content; items with the same object are replaced together. */
  replaced?: ReplacedText
}

/** A text that replaces what is drawn. */
export interface ReplacedText {
  text: string
}

/** A horizontal or vertical line, or the edge of a filled or framed box. */
export interface Ruling {
  x1: number
  y1: number
  x2: number
  y2: number
}

export interface FilledBox extends Rectangle {
  /** As 0xrrggbb. */
  colour: number
}

export interface PdfImage extends Rectangle {
  /** Pixels as stored in the file. */
  pixelWidth: number
  pixelHeight: number
  content: number
  artefact: boolean
  replaced?: ReplacedText | undefined
  handle: Handle
}

export interface PdfLink {
  /** Clickable areas, one rectangle per line. */
  areas: Rectangle[]
  /** Address of an external link. */
  url?: string
  /** Index of the target page of a link within the file. */
  page?: number
}

/** An element of a tagged file's structure. */
export interface StructureElement {
  /** Its role, such as `H1`, `P`, `TD`, `Figure`; ISO 32000-1, 14.8.4. */
  type: string
  /** Elements and numbers of marked content, in reading order. */
  children: (StructureElement | number)[]
  /** Alternative text of a picture. */
  alternative?: string
  /** Replacement text of its content. */
  text?: string
  columns?: number
  rows?: number
}

/** Fonts by their names, with letters that have no text, or whose text is none of any language. */
export type WrongFonts = Map<string, 'lost' | 'gibberish'>

export interface PageContent {
  /** 0 for the first. */
  index: number
  width: number
  height: number
  text: TextItem[]
  /** Text with other rotations than the page, each rotation as a separate page. */
  turned: { width: number; height: number; text: TextItem[] }[]
  /** Text at other angles than quarter turns, each angle as if it were level, with coordinates of its own. */
  slanted: TextItem[][]
  rulings: Ruling[]
  /** Filled boxes, such as the background of cells and notes. */
  boxes: FilledBox[]
  /** Bounds of all other paths: curves, slanted lines. */
  paths: Rectangle[]
  images: PdfImage[]
  links: PdfLink[]
  /** Comments and their authors, and where they are. */
  comments: (Rectangle & { text: string })[]
  /** Roots of the structure of this page; empty if the file is not tagged. */
  structure: StructureElement[]
  /** Number of characters without text, because their font does not map them to Unicode. */
  unmapped: number
  /** Fonts whose letters the file does not name, or not rightly. */
  wrong: WrongFonts
  /** Whether it is rotated because it is written in columns; its vector graphics are upright without the rotation. */
  vertical: boolean
  /** Whether it has form fields. */
  hasFields: boolean
}

export interface OutlineEntry {
  title: string
  /** 1 for the outermost. */
  level: number
  /** Index of the target page; -1 if none. */
  page: number
}

export interface PdfProperties {
  title: string
  author: string
  subject: string
  keywords: string
  created: Date | undefined
  /** BCP 47; empty if the file does not declare it. */
  language: string
}
