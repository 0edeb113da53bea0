/** Makes pictures of videos: one, one every few seconds, or a sheet of many. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Excerpt, Output, Task, TaskInput } from '../../catalogue/task.ts'
import type { Finished } from '../../engines/media/ffmpeg/run.ts'
import { clock } from '../audio/encode.ts'
import { spanOf } from '../audio/span.ts'
import { imageSettings } from '../images/write/settings.ts'
import { encodeImage } from '../images/write/still.ts'
import { named, toneMapped } from './colours.ts'
import { cropped, withBars } from './crop.ts'
import { progressive } from './deinterlace.ts'
import type { StillOptions } from './options.ts'
import { checkWritten, isAll, lengthOf, pass, type VideoTask } from './pass.ts'
import { squarePixels } from './shape.ts'
import { shownTime } from './shown-time.ts'
import { describeVideo, openVideo, pictureOf } from './source.ts'

/** Most pictures of one video. */
const LIMIT = 2000

/** How much of the work it is to find the frames; the rest is to write them. */
const FOUND = 0.7

interface Film extends VideoTask {
  /** Filters that leave a part of the picture. */
  cut: readonly string[]
}

export async function convert(task: Task<StillOptions>): Promise<Output[]> {
  const { frames, trim, crop: _, ...picture } = task.options
  const video = await filmOf(task, frames.mode === 'one' ? { start: 0 } : trim)
  if (frames.mode === 'every') await findEvery(video, frames.every)
  else if (frames.mode === 'sheet') await findSheet(video, frames)
  else await findOne(video, frames.at ?? usualTime(video))
  const settings = imageSettings({
    ...task,
    options: { ...picture, metadata: { strip: true, keep: 'none' } },
  })
  const outputs: Output[] = []
  const found = await framesIn(task.folder)
  for (const [index, name] of found.entries()) {
    const path = join(task.folder, name)
    outputs.push(...(await encodeImage(task, { encoded: path }, settings, { index })))
    await rm(path)
    task.progress(FOUND + ((1 - FOUND) * (index + 1)) / found.length)
  }
  return outputs
}

/** The time of a frame that stands for the video, within it. */
const usualTime = ({ media: { seconds } }: Film) => Math.min(shownTime(seconds), (seconds ?? 2) / 2)

async function filmOf(task: Task<StillOptions>, trim: StillOptions['trim']): Promise<Film> {
  const source = await openVideo(task.input)
  const { estimated, seconds } = source.media
  const picture = pictureOf(source.media, task.warn)
  const video = { ...source, task, span: spanOf(trim, estimated ? null : seconds), speed: 1 }
  const { filters } = cropped(picture, await withBars(video, picture, task.options), task)
  return { ...video, cut: filters }
}

/** Writes the first frame, and then those that are shown so many seconds after it, and after that. */
async function findEvery(video: Film, seconds: number): Promise<void> {
  const { task } = video
  const length = lengthOf(video) ?? 0
  const expected = Math.ceil(length / seconds)
  if (expected > LIMIT)
    throw new JobFailure(
      'jobs.too_large',
      message('video.too_many_frames', { frames: expected, limit: LIMIT }),
    )
  const chosen = `select='isnan(prev_selected_t)+gte(t-start_t,selected_n*${seconds})'`
  // A percent sign in the name of a folder is no place for a number.
  const pattern = join(task.folder.replaceAll('%', '%%'), 'frame-%05d.png')
  const { damaged } = await write(video, [chosen], ['-frames:v', String(LIMIT)], pattern)
  const { length: found } = await framesIn(task.folder)
  checkWritten(video, found > 0, damaged)
  if (expected - found > 1 && !isAll(video.media, damaged, found / expected))
    task.warn(message('recording.ends_early', { expected: clock(length), read: clock(found * seconds) }))
}

/** Width in pixels of a sheet whose pictures are no smaller. */
const SHEET = 1920

/** Writes one picture of many, each from the middle of its share of the video. */
async function findSheet(video: Film, { columns, rows }: StillOptions['frames']): Promise<void> {
  const share = (lengthOf(video) ?? 0) / (columns * rows)
  const chosen = `select='gte(t-start_t,(selected_n+0.5)*${share})'`
  const width = `min(iw,2*trunc(${SHEET / columns}/2))`
  const tiled = [`scale='${width}':-2`, `tile=${columns}x${rows}:padding=4`]
  const { damaged } = await write(video, [chosen], ['-frames:v', '1'], join(video.task.folder, ONE), tiled)
  checkWritten(video, (await framesIn(video.task.folder)).length > 0, damaged)
}

/** Writes the frame that is shown at a time in seconds, which begins before it. */
async function findOne(video: Film, at: number): Promise<void> {
  const { task, media } = video
  const from = spanOf({ start: at }, media.seconds).start
  const frame = 1.5 / (media.picture?.fps ?? 1)
  for (const reach of [frame, 10, from]) {
    const span = { start: Math.max(0, from - reach), end: from + 1e-3 }
    const { damaged } = await write({ ...video, span }, [], ['-update', '1'], join(task.folder, ONE))
    if ((await framesIn(task.folder)).length === 0) continue
    return checkWritten(video, true, damaged)
  }
  // The first frame may come later than the sound.
  const { damaged } = await write(video, [], ['-frames:v', '1', '-update', '1'], join(task.folder, ONE))
  checkWritten(video, (await framesIn(task.folder)).length > 0, damaged)
}

const ONE = 'frame-00001.png'

/** Names of the frames that were written, in their order. */
const framesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter(name => /^frame-\d+\.png$/.test(name)).sort()

function write(
  video: Film,
  choice: readonly string[],
  writing: readonly string[],
  path: string,
  shaping: readonly string[] = [],
): Promise<Finished> {
  const picture = video.media.picture!
  const filters = [
    ...[...named(picture), ...choice, ...progressive(picture), ...video.cut],
    ...[...squarePixels, ...toneMapped(picture), ...shaping, 'format=rgb24'],
  ]
  return pass(
    video,
    path,
    [
      ...['-map', `0:v:${picture.position}`, '-vf', filters.join(','), '-an', '-sn', '-dn'],
      ...['-fps_mode:v', 'passthrough', '-c:v', 'png', '-compression_level', '1', ...writing, '-f', 'image2'],
    ],
    [0, FOUND],
  )
}

/** One picture for a preview. @throws JobFailure */
export async function partOf(input: TaskInput, options: StillOptions): Promise<Excerpt> {
  const { frames, trim } = options
  if (frames.mode !== 'every') return { options, whole: bytes => bytes, isPart: false }
  const { seconds } = await describeVideo(input)
  const end = Math.min(trim.end ?? Number.POSITIVE_INFINITY, seconds ?? Number.POSITIVE_INFINITY)
  const count = Math.ceil((end - trim.start) / frames.every)
  return {
    options: { ...options, frames: { ...frames, mode: 'one', at: trim.start } },
    whole: bytes => (Number.isFinite(count) ? bytes * count : null),
    isPart: true,
  }
}
