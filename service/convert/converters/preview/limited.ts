/** Converts a part of a file, from which the size of the whole result is estimated. */
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
  /** Size of the whole result given that of the part; null if unknown. */
  whole(bytes: number): number | null
  /** Whether it really is only a part. */
  isPart: boolean
  /** The part of a recording. */
  excerpt?: { source: Source; excerpt: Excerpt; track: number }
  /** Number of the converted page, from 0. */
  page?: number
}

const all = (options: Options): Limited => ({ options, whole: bytes => bytes, isPart: false })

/**
 * What is converted for a preview: some seconds of a recording, a page of a PDF, otherwise the whole file.
 * @throws JobFailure
 */
export async function limitedTo(converter: Converter, input: TaskInput, options: Options): Promise<Limited> {
  if (isTrimmed(converter)) return someSeconds(input, options)
  if ('pages' in converter.options && converter.category !== 'images')
    return onePage(converter, input, options)
  return all(options)
}

/** Whether a converter can convert a part of a recording. */
export const isTrimmed = ({ options }: Converter): boolean => options.trim?.type === 'object'

/** An excerpt missing no more than this counts as complete. */
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
      // Tags would weigh as much as seconds of audio.
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

/** The number of the video's audio track, if the option gives one. */
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
    // The first page of the first range; the number of pages is only known once the document is laid out.
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
