/** Subtitles that are pictures, as on discs: drawn by ffmpeg, read by Tesseract, and written as SubRip. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { type Run, run } from '../../../engines/media/ffmpeg/run.ts'
import type { DrawnPage, ReadLine } from '../../../engines/pdf/ocr/model.ts'
import { Readers } from '../../../engines/pdf/ocr/readers.ts'
import { sharp } from '../../../engines/pictures/sharp/load.ts'
import { ocrLanguages } from '../../../models/ocr-languages.ts'
import type { Cue } from '../../audio/transcript/cues.ts'
import { writeCues } from '../../audio/transcript/subtitles.ts'

/** Pictures of one track that are drawn, at most: a video of three hours has 3,000 subtitles, each with a beginning and an end. */
const MOST_PICTURES = 20_000
/** Lines of a screen for which letters are as high as Tesseract wants them, and the largest screen there is. */
const [LINES, LARGEST] = [1080, 4096]
/** Seconds of a video, at most; what has no end is drawn again after 49 days. */
const LONGEST = 86_400
/** Milliseconds of the last subtitle, if nothing says when it ends; and pixels of white around letters. */
const [LAST, MARGIN] = [5000, 24]

/** How a track is read: the file, its number among those of subtitles, and the time at which the video begins in seconds. */
export type DrawnTrack = Pick<Run, 'input' | 'demuxer' | 'inputOptions'> & { position: number; start: number }

/** Forced ones are shown whatever one has chosen. */
type ReadCue = Cue & { forced: boolean }

/** Tesseract's name of a track's language; English if it is none that can be read. */
export const languageOf = (language: string | null): string => {
  try {
    const { language: tag } = new Intl.Locale(language ?? 'en')
    return ocrLanguages.find(one => one.tag && new Intl.Locale(one.tag).language === tag)?.id ?? 'eng'
  } catch {
    return 'eng'
  }
}

/**
 * Reads a track, whose times are exact to the millisecond.
 * @param languages Tesseract's names, joined by `+`
 * @returns all of it as SubRip, and what is shown whatever one has chosen, if that is only a part, else nothing
 * @throws JobFailure engine_missing if a language is not installed; too_large; as `run` does
 */
export async function readDrawn(
  task: Task,
  track: DrawnTrack,
  languages: string,
): Promise<{ all: string; forced: string }> {
  const pictures = await drawn(task, track)
  const always = await drawn(task, track, true)
  const forcedAt = new Set<number>()
  let before: Buffer | undefined
  for (const { at, path } of always) {
    const screen = await readFile(path)
    // On a DVD, one may stay for some milliseconds of the next.
    if (!before?.equals(screen) && (await isSeen(path))) forcedAt.add(at)
    before = screen
    await rm(path)
  }
  const cues: ReadCue[] = []
  let open: ReadCue | null = null
  let last: DrawnPage['data'] = new Uint8Array()
  await using readers = new Readers(languages, task)
  for (const [index, { at, path }] of pictures.entries()) {
    task.progress(index / pictures.length, 'converting')
    const ink = await inkOf(path)
    await rm(path)
    // ffmpeg repeats what stays.
    if (open && ink && Buffer.compare(last as Uint8Array, ink.data as Uint8Array) === 0) continue
    if (open) open.end = at
    open = ink && { start: at, end: at + LAST, lines: [], forced: forcedAt.has(at) }
    if (!open || !ink) continue
    last = ink.data.slice()
    const cue = open
    cues.push(cue)
    const reading = async () => {
      cue.lines = wordsOf(await readers.read(ink))
    }
    await readers.start(reading())
  }
  await readers.finished()
  const legible = cues.filter(({ lines }) => lines.length > 0)
  const count = cues.length - legible.length
  if (count > 0) task.warn(message('subtitles.unread', { count }))
  const read = joined(legible)
  const forced = read.filter(cue => cue.forced)
  const isPart = forced.length > 0 && forced.length < read.length
  return { all: writeCues(read), forced: isPart ? writeCues(forced) : '' }
}

/** What is faded in and out is many pictures of the same words. */
const joined = (cues: readonly ReadCue[]): ReadCue[] =>
  cues.reduce<ReadCue[]>((all, cue) => {
    const before = all.at(-1)
    if (before?.end === cue.start && before.lines.join('\n') === cue.lines.join('\n')) before.end = cue.end
    else all.push(cue)
    return all
  }, [])

const wordsOf = (lines: readonly ReadLine[]): string[] =>
  lines.map(({ words }) => words.map(({ text }) => text).join(' ')).filter(Boolean)

/** Draws the screen at each change of a track into a file, or only what is always shown. @returns those in their order */
async function drawn(
  { folder }: Pick<Task, 'folder'>,
  { position, start, inputOptions = [], ...track }: DrawnTrack,
  forcedOnly = false,
): Promise<{ at: number; path: string }[]> {
  const own = join(folder, `drawn-${position}${forcedOnly ? '-forced' : ''}`)
  await mkdir(own)
  const fit = `scale='min(iw,${LARGEST})':'min(ih,${LARGEST})'`
  await run({
    ...track,
    // In transport streams, ffmpeg would count from the first subtitle.
    inputOptions: [...inputOptions, '-copyts', ...(forcedOnly ? ['-forced_subs_only', '1'] : [])],
    output: join(own.replaceAll('%', '%%'), '%d.png'),
    outputOptions: [
      ...[
        '-filter_complex',
        `[0:s:${position}]trim=end=${LONGEST},${fit},format=ya8[drawn]`,
        '-map',
        '[drawn]',
      ],
      ...['-fps_mode:v', 'passthrough', '-enc_time_base', '1:1000', '-frames:v', String(MOST_PICTURES)],
      ...['-c:v', 'png', '-compression_level', '1', '-f', 'image2', '-frame_pts', '1'],
    ],
  })
  const names = await readdir(own)
  if (names.length >= MOST_PICTURES)
    throw new JobFailure('jobs.too_large', message('subtitles.too_many', { limit: MOST_PICTURES }))
  // They are named after their times in milliseconds.
  const found = names.map(name => ({
    at: Math.max(0, Number.parseInt(name, 10) - Math.round(start * 1000)),
    path: join(own, name),
  }))
  return found.sort((one, other) => one.at - other.at)
}

/** The opacity above which a pixel belongs to a letter. */
const SEEN = 127

/** Whether anything is drawn on a screen. */
async function isSeen(path: string): Promise<boolean> {
  const { channels } = await sharp(path).ensureAlpha().stats()
  return channels.at(-1)!.max > SEEN
}

/** Levels of brightness between what is at the edge of letters and all of them that make an outline, and between it and both darker and lighter ones. */
const [OUTLINE, BETWEEN] = [16, 80]

/** The letters of a screen in black on white, without what is transparent around them; null if there are none. */
async function inkOf(path: string): Promise<DrawnPage | null> {
  const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  let [left, right, top, bottom] = [width, 0, height, 0]
  // Of what is seen, and of its edge: how many pixels, and the sum of their brightness.
  let [count, sum, edges, edgeSum] = [0, 0, 0, 0]
  const levels = new Set<number>()
  const isInked = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && data[4 * (y * width + x) + 3]! > SEEN
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!isInked(x, y)) continue
      ;[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y]
      const isInside = isInked(x - 1, y) && isInked(x + 1, y) && isInked(x, y - 1) && isInked(x, y + 1)
      const level = data[4 * (y * width + x)]!
      levels.add(level)
      ;[count, sum] = [count + 1, sum + level]
      if (!isInside) [edges, edgeSum] = [edges + 1, edgeSum + level]
    }
  if (count === 0) return null
  const edge = edgeSum / edges
  const outline = edge - sum / count
  // A DVD's colours are in another file than its subtitles, and ffmpeg guesses their order: the outline may come between letters and their rims.
  const isBetween = edge - Math.min(...levels) > BETWEEN && Math.max(...levels) - edge > BETWEEN
  const base = isBetween ? edge : outline > OUTLINE ? 255 : outline < -OUTLINE ? 0 : null
  const brightness = (level: number) => (base === null ? 255 : Math.abs(level - base))
  const [across, down] = [right - left + 1, bottom - top + 1]
  const grey = Buffer.alloc(across * down)
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) {
      const at = 4 * ((y + top) * width + x + left)
      grey[y * across + x] = 255 - Math.round((brightness(data[at]!) * data[at + 3]!) / 255)
    }
  const picture = sharp(grey, { raw: { width: across, height: down, channels: 1 } })
    .resize({ height: Math.ceil((down * LINES) / height), kernel: 'cubic' })
    .extend({ top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: '#fff' })
    .normalise()
    .toColourspace('b-w')
  const ready = await picture.raw().toBuffer({ resolveWithObject: true })
  const size = { width: ready.info.width, height: ready.info.height }
  // No subtitle has a bar, for which an I is taken.
  return { data: ready.data, ...size, channels: 1, dpi: 150, unlike: '|' }
}
