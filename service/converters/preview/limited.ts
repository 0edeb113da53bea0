/** Conversions of a part of a file, from which the size of the whole follows. */
import type { Converter } from '../../catalogue/converter.ts'
import type { Options, TaskInput } from '../../catalogue/task.ts'
import { openPdf } from '../../engines/pdfium/document.ts'
import { readTags } from '../../engines/taglib/tags.ts'
import type { Source } from '../audio/source.ts'
import { chosenPages } from '../documents/pdf/chosen-pages.ts'
import { type Excerpt, excerptOf, openRecording, secondsOf } from './sounds.ts'

/** How a part of a file is converted. */
export interface Limited {
  options: Options
  /** Size of the whole result by that of the part; null when it cannot be told. */
  whole(bytes: number): number | null
  /** Whether it is a part at all. */
  isPart: boolean
  /** The part of a recording. */
  excerpt?: { source: Source; excerpt: Excerpt; track: number }
  /** The page that is converted, from 0. */
  page?: number
}

const all = (options: Options): Limited => ({ options, whole: bytes => bytes, isPart: false })

/**
 * What of a file is converted to be looked at: some seconds of a recording, a page of a PDF, otherwise all of it.
 * @throws JobFailure
 */
export async function limitedTo(converter: Converter, input: TaskInput, options: Options): Promise<Limited> {
  if (isTrimmed(converter)) return someSeconds(input, options)
  if ('pages' in converter.options && converter.category !== 'images')
    return onePage(converter, input, options)
  return all(options)
}

/** Whether a converter takes a part of a recording. */
export const isTrimmed = ({ options }: Converter): boolean => options.trim?.type === 'object'

/** What an excerpt may lack of all that is wanted. */
const WHOLE_SECONDS = 0.05

async function someSeconds(input: TaskInput, options: Options): Promise<Limited> {
  const source = await openRecording(input)
  const { start = 0, end = null } = (options.trim ?? {}) as { start?: number; end?: number | null }
  const excerpt = excerptOf(source, { start, end })
  const total = secondsOf(source)
  const wanted =
    end === null && total === null ? null : Math.max(0, Math.min(end ?? Infinity, total ?? Infinity) - start)
  const track = trackOf(source, options)
  const part = { source, excerpt, track }
  if (wanted !== null && excerpt.seconds >= wanted - WHOLE_SECONDS) return { ...all(options), excerpt: part }
  const own = keepsTags(options) ? await pictureBytes(input.path) : 0
  return {
    options: {
      ...options,
      trim: { start: excerpt.from, end: excerpt.from + excerpt.seconds },
      ...(options.chapters === undefined ? {} : { chapters: { split: false } }),
      // Tags would weigh as much as seconds of sound.
      ...(options.metadata === undefined ? {} : { metadata: { strip: true } }),
    },
    whole: bytes =>
      wanted === null ? null : Math.round(bytes * (wanted / Math.max(0.001, excerpt.seconds)) + own),
    isPart: true,
    excerpt: part,
  }
}

const keepsTags = (options: Options): boolean =>
  (options.metadata as { strip?: boolean } | undefined)?.strip === false

async function pictureBytes(path: string): Promise<number> {
  const { pictures = [] } = (await readTags(path)) ?? {}
  return pictures.reduce((sum, { data }) => sum + data.length, 0)
}

/** The track that a video's sound is taken from, where the option names it by its number. */
function trackOf({ recording }: Source, options: Options): number {
  const { track } = (options.audio ?? {}) as { track?: string }
  const number = Number(track)
  if (Number.isInteger(number) && number >= 1 && number <= recording.tracks.length) return number - 1
  const found = recording.tracks.find(({ language }) => language === track)
  return (found ?? recording.tracks.find(({ preferred }) => preferred))?.position ?? 0
}

async function onePage(converter: Converter, input: TaskInput, options: Options): Promise<Limited> {
  const chosen = typeof options.pages === 'string' ? options.pages : 'all'
  const isPicture = converter.target === 'jpg' || converter.target === 'png'
  if (input.format !== 'pdf') {
    // The first page of the first range; how many there are shows only when the document is laid out.
    const first = /^\d+/.exec(chosen)?.[0] ?? '1'
    if (!isPicture) return all(options)
    return { options: { ...options, pages: first }, whole: () => null, isPart: true }
  }
  const password = typeof options.password === 'string' ? options.password : undefined
  using pdf = await openPdf(input.path, password)
  const pages = chosenPages(pdf.pageCount, chosen)
  const [page = 0] = pages
  if (pages.length === 1) return { ...all(options), page }
  return {
    options: { ...options, pages: String(page + 1) },
    whole: bytes => bytes * pages.length,
    isPart: true,
    page,
  }
}
