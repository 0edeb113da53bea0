/** Subtitles that are drawn into the picture. */
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import { FailedRun } from '../../engines/media/ffmpeg/failures.ts'
import type { MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { scriptOf } from './speed.ts'

/** Subtitles that are stored as pictures, by ffmpeg's names of their codecs. */
export const isDrawn = (codec: string): boolean => /^(dvd|dvb|hdmv|xsub)/.test(codec)

/**
 * Filters that draw a track of subtitles into pictures whose times begin at `start` of the video. The track is written to a file
 * of our own first: the filter that opens any file is not confined to safe formats.
 * @param track counted from 1
 * @param start seconds
 * @throws JobFailure `unsupported_input` if there is no such track of text; as `run` does
 */
export async function burned(
  task: Pick<Task, 'input' | 'folder'>,
  media: MediaInfo,
  track: number,
  start: number,
): Promise<string[]> {
  const { subtitles } = media
  const codec = subtitles[track - 1]?.codec
  if (codec === undefined)
    throw new JobFailure(
      'jobs.unsupported_input',
      message('video.no_such_subtitles', { track, tracks: subtitles.length }),
    )
  if (codec === 'none' || isDrawn(codec))
    throw new JobFailure('jobs.unsupported_input', message('video.drawn_subtitles'))
  const path = await scriptOf(task, media, track - 1)
  const shift = (sign: '+' | '-') => (start > 0 ? [`setpts=PTS${sign}${start.toFixed(6)}/TB`] : [])
  return [...shift('+'), `ass=filename=${quoted(path)}`, ...shift('-')]
}

/** A path within the value of a filter's option, which is read twice: as an option, and as part of a chain of filters. */
const quoted = (path: string): string => path.replaceAll(/[\\':]/g, '\\$&').replaceAll(/[\\'[\],;]/g, '\\$&')

/** @throws JobFailure `engine_missing` if ffmpeg failed because it cannot draw letters; otherwise what was thrown */
export function throwBurnFailure(error: unknown): never {
  const failed = error instanceof JobFailure ? error.cause : null
  if (failed instanceof FailedRun && /No such filter: 'ass'/.test(failed.log))
    throw new JobFailure('jobs.engine_missing', message('video.no_letters'), { cause: error })
  throw error
}
