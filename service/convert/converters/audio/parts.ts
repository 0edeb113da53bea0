/** Decides which long media files are encoded on several cores, in parts. */
import type { Task } from '../../catalogue/task.ts'
import { partsFor } from '../../engines/media/ffmpeg/parallel.ts'
import type { MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import type { Plan } from './plan.ts'
import { isWhole, type TimeRange } from './span.ts'

/** Number of parts in which to encode the span of a media file: 1 if it must be encoded in one run. */
export function partsOf(
  { cores }: Pick<Task, 'cores'>,
  { seconds, seekable }: Pick<MediaInfo, 'seconds' | 'seekable'>,
  { join, track, sampleRate }: Pick<Plan, 'join' | 'track' | 'sampleRate'>,
  span: TimeRange,
  filters: readonly string[],
): number {
  const readable = seekable && track.position === 0
  const whole = seconds !== null && isWhole(span)
  // A limiter depends on earlier audio, and statistics need all of it.
  const steady = !filters.some(filter => /^(alimiter|astats)/.test(filter))
  // MP3 frames are split at the media file's own rate.
  const even = join === 'opus' || sampleRate === track.sampleRate
  if (!join || !readable || !whole || !steady || !even) return 1
  return partsFor({ target: join, sampleRate: track.sampleRate, seconds, cores })
}
