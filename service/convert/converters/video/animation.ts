/** Makes animations of videos. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import { ffmpeg } from '../../engines/media/ffmpeg/locate.ts'
import type { Finished } from '../../engines/media/ffmpeg/run.ts'
import { cutPictures, spanOf } from '../audio/span.ts'
import { encoderOf, qualityArguments } from './codecs.ts'
import { named, toneMapped } from './colours.ts'
import { cropped, withBars } from './crop.ts'
import { progressive } from './deinterlace.ts'
import type { AnimationOptions } from './options.ts'
import { checkFinished, checkWritten, lengthOf, pass, type VideoTask } from './pass.ts'
import { constantRate, scaled, sizeWithin, squareOf, squarePixels } from './shape.ts'
import { openVideo, pictureOf, shownSize } from './source.ts'
import { spedUp } from './speed.ts'

/** The smallest edge in pixels that SVT-AV1 takes. */
const SVT_EDGE = 64

const only = ['-an', '-sn', '-dn', '-map_metadata', '-1']

export async function convert(task: Task<AnimationOptions>): Promise<Output[]> {
  const { trim, frameRate, longestEdge, quality, speed } = task.options
  const source = await openVideo(task.input, { transparent: true, steady: true })
  const { seconds } = source.media
  const picture = pictureOf(source.media, task.warn)
  const video: VideoTask = { ...source, task, span: spanOf(trim, seconds), speed }
  const part = cropped(picture, await withBars(video, picture, task.options), task)
  const square = squareOf(part.picture)
  const { width, height } = shownSize(picture)
  const filters = [
    // Pictures whose size changes are brought to that of the beginning.
    ...[`scale=${width}:${height}`, ...named(picture), ...progressive(picture), ...cutPictures(video.span)],
    ...[...spedUp(speed), constantRate(frameRate, lengthOf(video)), ...part.filters, ...squarePixels],
    ...[...scaled(square, { longest: longestEdge }, 'lanczos'), ...toneMapped(picture)],
    // WebP knows no other matrix.
    ...(task.target === 'webp' ? ['scale=out_color_matrix=bt601:out_range=tv'] : []),
  ].join(',')
  const size = sizeWithin(square, { longest: longestEdge })
  const track = `0:v:${picture.position}`
  const path = join(task.folder, `output.${task.target}`)
  const finished =
    task.target === 'gif'
      ? await writeGif(video, track, filters, path)
      : await pass(
          video,
          path,
          [...['-map', track, '-vf', filters, ...only], ...(await coding(task.target, quality, size))],
          [0, 1],
        )
  // The encoder of WebP writes all frames at once, which counts as a moment.
  const isCounted = task.target !== 'webp' || finished.time === 0
  checkFinished(video, isCounted ? finished : { ...finished, time: lengthOf(video) ?? finished.time })
  return [{ path }]
}

/**
 * One palette for all frames, in two runs: one run would hold all frames in memory. Colours of what moves count, and dithering
 * in a fixed pattern keeps what stands still the same in each frame.
 */
async function writeGif(video: VideoTask, track: string, filters: string, path: string): Promise<Finished> {
  const palette = join(video.task.folder, 'palette.png')
  const found = ['-map', track, '-vf', `${filters},palettegen=stats_mode=diff`, ...only]
  await pass(video, palette, [...found, '-c:v', 'png', '-f', 'image2', '-update', '1'], [0, 0.4])
  checkWritten(video, existsSync(palette), 0)
  const use = 'paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle'
  const graph = `[${track}]${filters}[small];[small][1:v]${use}[out]`
  const written = [
    ...['-filter_complex', graph, '-map', '[out]', ...only],
    ...['-c:v', 'gif', '-loop', '0', '-f', 'gif'],
  ]
  return pass(video, path, written, [0.4, 1], [palette])
}

/** Encoder and container of the other formats. @throws JobFailure `engine_missing` */
async function coding(
  target: string,
  quality = 70,
  size: { width: number; height: number },
): Promise<string[]> {
  const { encoders } = await ffmpeg()
  if (target === 'apng') return ['-c:v', 'apng', '-pred', 'mixed', '-plays', '0', '-f', 'apng']
  if (target === 'avif') {
    const isSmall = Math.min(size.width, size.height) < SVT_EDGE
    const others = encoders.difference(new Set(isSmall && encoders.has('libaom-av1') ? ['libsvtav1'] : []))
    const { encoder } = encoderOf({ codecs: ['av1'] }, 'av1', others, false)
    return [
      ...['-c:v', encoder.name, ...encoder.arguments, ...qualityArguments(encoder, quality)],
      ...['-pix_fmt', 'yuv420p', '-loop', '0', '-f', 'avif'],
    ]
  }
  const encoder = ['libwebp_anim', 'libwebp'].find(name => encoders.has(name))
  if (!encoder)
    throw new JobFailure('jobs.engine_missing', message('video.no_encoder', { encoders: 'libwebp_anim' }))
  return ['-c:v', encoder, '-quality', String(quality), '-loop', '0', '-f', 'webp']
}
