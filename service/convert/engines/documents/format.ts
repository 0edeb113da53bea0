/** What reads a format as a document, and what writes a document in a format. */
import type { Document, PictureUse } from './model.ts'

/** @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large */
export type Reader = (bytes: Uint8Array, options: ReadOptions) => Document | Promise<Document>

export interface ReadOptions {
  /** Password of a protected document. */
  password?: string | undefined
  /** Whether comments are read, as notes. */
  comments?: boolean
  /** Whether the notes of the speaker and hidden slides are read. */
  notes?: boolean
  hiddenSlides?: boolean
  /** Bytes of a file that came with the document, by the address that the document has for it. */
  beside?(address: string): Uint8Array | undefined
}

export type Writer = (document: Document, given: Given) => string | Uint8Array | Promise<Uint8Array>

/** What a writer needs besides the document. */
export interface Given {
  /** The title of a document that has none: the name of its file. */
  fileName: string
  date: Date
  /** The address of a picture beside the document or in it; undefined for one that is left out. */
  address(use: PictureUse): string | undefined
  /** The file of a picture, for formats that hold files. */
  file(use: PictureUse): PictureFile | undefined
}

export interface PictureFile {
  /** File name, such as `image-1.png`. */
  name: string
  mime: string
  bytes: Uint8Array
  /** Whether it was rendered from a metafile, and has more pixels than it is wide. */
  isDrawn: boolean
}
