/** Covers of media files and books. */
import { readFile } from 'node:fs/promises'
import type { TaskInput } from '../catalogue/task.ts'
import { isSvg } from '../engines/books/book/media-types.ts'
import { readEpub } from '../engines/books/epub/read/read.ts'
import { readMobi } from '../engines/books/mobi/read/book.ts'
import { readTags } from '../engines/media/taglib/tags.ts'
import { shownFile, shownPicture, type UprightPicture } from './shown.ts'

const books = new Set(['epub', 'kepub', 'mobi', 'azw3'])

export const isBook = (format: string): boolean => books.has(format)

/** The picture in a media file's tags; undefined if there is none. */
export async function coverArt({ path }: TaskInput): Promise<UprightPicture | undefined> {
  const pictures = (await readTags(path))?.pictures ?? []
  const cover = pictures.find(({ type }) => type === 'FrontCover') ?? pictures[0]
  return cover && shownFile(cover.data, false).catch(() => undefined)
}

/** The cover of a book; undefined if it has none, or a vector drawing. @throws JobFailure */
export async function bookCover({ path, format }: TaskInput): Promise<UprightPicture | undefined> {
  const isEpub = format === 'epub' || format === 'kepub'
  const book = isEpub ? (await readEpub(path)).book : readMobi(await readFile(path))
  const cover = book.cover === undefined ? undefined : book.resources.get(book.cover)
  if (!cover || isSvg(cover.mediaType)) return undefined
  return { ...(await shownPicture(cover.bytes)), isTrueSize: false }
}
