/** Makes thumbnails of files. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskInput } from '../catalogue/task.ts'
import audio from '../converters/audio/index.ts'
import { isSvg } from '../engines/books/book/media-types.ts'
import { readEpub } from '../engines/books/epub/read/read.ts'
import { readMobi } from '../engines/books/mobi/read/book.ts'
import { readTags } from '../engines/media/taglib/tags.ts'
import { sharpFailure } from '../engines/pictures/sharp/failure.ts'
import { sharp } from '../engines/pictures/sharp/load.ts'
import { fontSample, isFont } from './fonts.ts'
import { frame, isVideo } from './frames.ts'
import { firstPage, isPaged } from './pages.ts'
import { isPicture, picture } from './pictures.ts'
import { scaled, shownFile, shownPicture, type UprightPicture, type Wanted } from './shown.ts'

const books = new Set(['epub', 'kepub', 'mobi', 'azw3'])

const isBook = (format: string): boolean => books.has(format)

/** The picture in a media file's tags; undefined if there is none. */
async function coverArt({ path }: TaskInput): Promise<UprightPicture | undefined> {
  const pictures = (await readTags(path))?.pictures ?? []
  const cover = pictures.find(({ type }) => type === 'FrontCover') ?? pictures[0]
  return cover && shownFile(cover.data, false).catch(() => undefined)
}

/** The cover of a book; undefined if it has none, or it is SVG. @throws JobFailure */
async function bookCover({ path, format }: TaskInput): Promise<UprightPicture | undefined> {
  const isEpub = format === 'epub' || format === 'kepub'
  const book = isEpub ? (await readEpub(path)).book : readMobi(await readFile(path))
  const cover = book.cover === undefined ? undefined : book.resources.get(book.cover)
  if (!cover || isSvg(cover.mediaType)) return undefined
  return { ...(await shownPicture(cover.bytes)), isTrueSize: false }
}

const QUALITY = { quality: 80, effort: 2 }

/** Whether the format is audio only. */
export const isSound = (format: string): boolean =>
  !isVideo(format) && audio.some(({ sources }) => sources.some(source => source === format))

/** A picture of a file's content; undefined if there is nothing to see. @throws JobFailure */
export async function shownOf(input: TaskInput, wanted: Wanted): Promise<UprightPicture | undefined> {
  const { format } = input
  if (isPicture(format)) return picture(input, wanted)
  if (isPaged(format)) return firstPage(input, wanted)
  if (isVideo(format)) return (await frame(input, wanted)) ?? coverArt(input)
  if (isSound(format)) return coverArt(input)
  if (isBook(format)) return bookCover(input)
  if (isFont(format)) return fontSample(input, wanted)
  return undefined
}

/**
 * Writes a WebP for each longest edge in pixels, named after it, into a folder.
 * @returns false if there is nothing to show
 * @throws JobFailure
 */
export async function makeThumbnail(
  input: TaskInput,
  folder: string,
  edges: readonly number[],
): Promise<boolean> {
  // Thumbnails only use spare processor time, which is rarely more than one core. Conversions may have this process next.
  using afterwards = new DisposableStack()
  const usual = sharp.concurrency()
  afterwards.defer(() => sharp.concurrency(usual))
  sharp.concurrency(1)
  const largest = Math.max(...edges)
  const shown = await shownOf(input, { edge: largest, folder })
  if (!shown) return false
  const small = await scaled(shown, largest)
  try {
    for (const edge of edges) {
      const size = { width: edge, height: edge, fit: 'inside', withoutEnlargement: true } as const
      await small
        .clone()
        .resize(size)
        .webp(QUALITY)
        .toFile(join(folder, `${edge}.webp`))
    }
  } catch (error) {
    throw sharpFailure(error)
  }
  return true
}
