/** Blocks of a page before it is known what they are within the whole document. */
import type { Rectangle } from '../../../../engines/pdf-content/types.ts'
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

export type Draft = TextDraft | TableDraft | PictureDraft

/** One page, its blocks in reading order; a list for each column. */
export interface PageDraft {
  index: number
  width: number
  height: number
  regions: Draft[][]
}
