/** Blocks of a page before their role in the whole document is known. */
import type { Rectangle } from '../../../../engines/pdf/content/types.ts'
import type { Line } from './lines.ts'
import type { PictureBlock, Table } from './model.ts'
import type { TextGroup } from './paragraphs.ts'

export interface TextDraft extends TextGroup {
  kind: 'text'
  page: number
}

export interface TableDraft {
  kind: 'table'
  table: Table
  box: Rectangle
}

export interface PictureDraft {
  kind: 'picture'
  picture: PictureBlock
  box: Rectangle
}

/** A paragraph at an angle, which is no part of the running text. */
export interface SlantedDraft {
  kind: 'slanted'
  lines: Line[]
  page: number
}

export type Draft = TextDraft | TableDraft | PictureDraft | SlantedDraft

/** A page with its blocks in reading order, as a list for each column. */
export interface PageDraft {
  index: number
  width: number
  height: number
  regions: Draft[][]
}
