/** Converts media files, and the audio of videos. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { portableName } from '../../../shared/names/names.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import { bareDemuxer } from '../../engines/media/ffmpeg/bare.ts'
import { type Tags, writeTags } from '../../engines/media/taglib/tags.ts'
import { type Encoding, encode } from './encode.ts'
import { encodeAll, encodeNormalised, normaliserFor, type Piece } from './normalise.ts'
import { type AudioOptions, tagless } from './options.ts'
import { pickTrack, planOf } from './plan.ts'
import { type EncodedFile, type Writing, writeWithin } from './size.ts'
import { openSource, type Source } from './source.ts'
import { lengthWithin, spanOf, type TimeRange, within } from './span.ts'
import { adapted, chapterTags, edited, noTags } from './tags.ts'

/** Largest AIFF file in bytes, whose size has 32 bits. */
const AIFF_LIMIT = 2 ** 32

/** How long a ringtone of an iPhone may be. */
const RINGTONE_SECONDS = 40

/** Maximum number of files that one media file is split into. */
const CHAPTER_LIMIT = 999

export const convert = async (task: Task<AudioOptions>): Promise<Output[]> =>
  convertSource(task, await openSource(task))

/** Converts a media file that has been opened. */
export async function convertSource(task: Task<AudioOptions>, source: Source): Promise<Output[]> {
  const { options } = task
  const { media } = source
  const span = spanOf(options.trim, media.estimated ? null : media.seconds)
  let furthest = 0
  const progress = (fraction: number) => {
    furthest = Math.max(furthest, fraction)
    task.progress(furthest)
  }
  const whole: Whole = { source, span, progress }
  const most = mostBytes(options)
  const pieces =
    most === undefined
      ? await write({ task, options, withCover: true }, whole)
      : await writeWithin(task, pickTrack(media.tracks, options.audio.track), most, writing =>
          write(writing, whole),
        )
  const seconds = lengthWithin(span, media.seconds)
  if (task.target === 'm4r' && seconds !== null && seconds > RINGTONE_SECONDS)
    task.warn(message('recording.long_ringtone', { limit: RINGTONE_SECONDS }))
  return pieces.map(({ path, name }) => ({ path, ...(name === undefined ? {} : { name }) }))
}

/** What stays the same however often a media file is written. */
interface Whole {
  source: Source
  span: TimeRange
  progress: (fraction: number) => void
}

/** The size that was asked for, if any. */
const mostBytes = ({ audio }: AudioOptions): number | undefined =>
  'targetSize' in audio && audio.targetSize !== undefined ? audio.targetSize * 1e6 : undefined

/** Writes the media file, or its chapters, once. */
async function write(
  { task, options, withCover }: Writing,
  { source, span, progress }: Whole,
): Promise<(EncodedFile & { name?: string })[]> {
  const { media } = source
  const encoding: Encoding = { task, source, plan: planOf(media, task.target, options, span) }
  const path = join(task.folder, `output.${task.target}`)
  const readTags = async (): Promise<Tags | null> => {
    const { strip, ...edits } = options.metadata
    if (tagless.has(task.target) || (strip && Object.keys(edits).length === 0)) return null
    const tags = edited(strip ? noTags : await source.tags(), edits)
    return withCover ? tags : { ...tags, pictures: [] }
  }
  const { normalize, target } = options.loudness
  const normaliser = normalize ? await normaliserFor(encoding, span, target, progress) : null

  const chapters = options.chapters?.split ? await chaptersOf(encoding, await readTags(), span) : null
  if (options.chapters?.split && !chapters) task.warn(message('recording.no_chapters'))
  const pieces: TaggedPiece[] = chapters ?? [{ path, span, tags: null }]
  if (normaliser) await encodeNormalised(encoding, pieces, span, normaliser, progress)
  else if (chapters) await encodeAll(encoding, pieces, [], progress)
  else await encodeWhole(encoding, options, path, span, progress)
  if (!chapters) {
    // What was joined knows its chapters once it has been read.
    const tags = await readTags()
    pieces[0]!.tags = tags && adapted(tags, span, normaliser !== null)
    if (encoding.plan.shortens && pieces[0]!.tags?.chapters.length) {
      pieces[0]!.tags = { ...pieces[0]!.tags, chapters: [] }
      task.warn(message('recording.chapters_left_out'))
    }
  }
  const written: (EncodedFile & { name?: string })[] = []
  for (const piece of pieces) {
    const { size } = await stat(piece.path)
    if (piece.tags) await tag(task, piece.path, piece.tags)
    const bytes = (await stat(piece.path)).size
    if (task.target === 'aiff' && bytes > AIFF_LIMIT)
      throw new JobFailure('jobs.too_large', message('recording.too_large_for_aiff'))
    written.push({
      path: piece.path,
      seconds: lengthWithin(piece.span, media.seconds),
      tagBytes: bytes - size,
      ...(piece.name !== undefined && { name: piece.name }),
    })
  }
  return written
}

/** A file to write, with its name for people if there are several. */
interface TaggedPiece extends Piece {
  name?: string
  tags: Tags | null
}

/** Writes the media file, and encodes it after all if what was copied is not of the target's codec. */
async function encodeWhole(
  encoding: Encoding,
  options: AudioOptions,
  path: string,
  span: TimeRange,
  progress: (fraction: number) => void,
): Promise<void> {
  await encode(encoding, path, span, [], progress)
  const { task, source, plan } = encoding
  // MP4 has one name for all layers of MPEG audio, but MP3 is the third.
  if (task.target !== 'mp3' || !plan.copy || (await bareDemuxer(path, 'mp3'))) return
  const tracks = source.media.tracks.map(track => (track === plan.track ? { ...track, codec: 'mp2' } : track))
  const encoded = planOf({ ...source.media, tracks }, task.target, options, span)
  await encode({ ...encoding, plan: encoded }, path, span, [], progress)
}

/** A file for each chapter; null if there are none. */
async function chaptersOf(
  { task, source }: Encoding,
  tags: Tags | null,
  span: TimeRange,
): Promise<TaggedPiece[] | null> {
  // Chapter times are needed even if the tags are not wanted.
  const { chapters } = tags?.chapters.length ? tags : await source.tags()
  const parts = chapters.filter(chapter => within(span, chapter))
  if (parts.length < 2) return null
  if (parts.length > CHAPTER_LIMIT) {
    throw new JobFailure(
      'jobs.too_large',
      message('recording.too_many_chapters', { chapters: parts.length, limit: CHAPTER_LIMIT }),
    )
  }
  const digits = String(parts.length).length
  return parts.map((chapter, index) => {
    const number = String(index + 1).padStart(digits, '0')
    const name = chapter.title.trim() || `Chapter ${index + 1}`
    return {
      path: join(task.folder, `${number}.${task.target}`),
      // The last one goes on to the end.
      span: within(span, { ...chapter, ...(index === parts.length - 1 ? { end: Infinity } : {}) })!,
      name: portableName(`${number} ${readable(name)}.${task.target}`),
      tags: tags && chapterTags(tags, name, index + 1, parts.length),
    }
  })
}

/** A title without characters that file names cannot contain; a space is the most readable replacement. */
const readable = (title: string): string => title.replaceAll(/[\s<>:"/\\|?*]+/g, ' ').trim()

async function tag(task: Task, path: string, tags: Tags): Promise<void> {
  const { properties, pictures, chapters, lyrics } = tags
  if (Object.keys(properties).length + pictures.length + chapters.length + lyrics.length === 0) return
  if (!(await writeTags(path, tags))) task.warn(message('recording.too_large_for_tags'))
}
