/**
 * What is on the pages of a PDF. Lengths are in points. The origin of a page is its upper left corner as it is shown; a
 * page most of whose text is turned is shown turned, so that its text is upright.
 */
import type { Handle } from './library.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

export interface PdfFont {
  /** As in the file, without the mark of a subset. */
  name: string
  bold: boolean
  italic: boolean
  monospace: boolean
}

/** A word, or the part of one that has the same look throughout. */
export interface TextItem extends Rectangle {
  /** In logical order, without spaces. */
  text: string
  /** y of the line it stands on. */
  baseline: number
  /** Size of its font as shown. */
  size: number
  font: PdfFont
  /** As 0xrrggbb. */
  colour: number
  /** Whether it follows the item before it without a space. */
  joined: boolean
  /** Whether it is there to be found and copied only, such as what a text recognition put over a scan. */
  hidden: boolean
  /** Number of the marked content it belongs to; -1 for none. */
  content: number
  /** Whether it is of artefacts, which are no part of the text: running heads, page numbers. */
  artefact: boolean
  /** What it stands for together with others that have the same object here, as its marked content says. */
  replaced?: ReplacedText
}

/** A text in place of what is drawn. */
export interface ReplacedText {
  text: string
}

/** A straight line that is level or upright, or the edge of a filled or framed box. */
export interface Ruling {
  x1: number
  y1: number
  x2: number
  y2: number
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
  /** Where it can be clicked, a rectangle for each line. */
  areas: Rectangle[]
  /** Address, for a link out of the file. */
  url?: string
  /** Index of the page it leads to, for a link within the file. */
  page?: number
}

/** An element of a tagged file's structure. */
export interface StructureElement {
  /** Its role, such as `H1`, `P`, `TD`, `Figure`; ISO 32000-1, 14.8.4. */
  type: string
  /** Elements and numbers of marked content, in reading order. */
  children: (StructureElement | number)[]
  /** What is said in place of a picture. */
  alternative?: string
  /** What its content stands for, where that is not what is drawn. */
  text?: string
  columns?: number
  rows?: number
}

export interface PageContent {
  /** 0 for the first. */
  index: number
  width: number
  height: number
  text: TextItem[]
  /** Text that is turned otherwise than the page, each turn as a page of its own. */
  turned: { width: number; height: number; text: TextItem[] }[]
  rulings: Ruling[]
  /** Filled boxes, such as the ground of cells and notes. */
  boxes: Rectangle[]
  /** Bounds of all that is drawn otherwise: curves, slanted lines. */
  drawings: Rectangle[]
  images: PdfImage[]
  links: PdfLink[]
  /** Roots of the structure of this page; empty where the file is not tagged. */
  structure: StructureElement[]
  /** Characters that stand for no text, as their font says nothing of what they mean. */
  unmapped: number
  /** Whether it is turned since it is written in columns; what is drawn on it stands upright otherwise. */
  vertical: boolean
}

export interface OutlineEntry {
  title: string
  /** 1 for the outermost. */
  level: number
  /** Index of the page it leads to; -1 for none. */
  page: number
}

export interface PdfProperties {
  title: string
  author: string
  subject: string
  keywords: string
  created: Date | undefined
  /** BCP 47; empty where the file does not say. */
  language: string
}
