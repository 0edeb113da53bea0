/** Some seconds of a video, from which the size of the whole result is estimated. */
import type { Excerpt, Options, TaskInput } from '../../catalogue/task.ts'
import { isWhole, lengthWithin, spanOf, type TimeRange } from '../audio/span.ts'
import type { AnimationOptions, VideoOptions } from './options.ts'
import { isChanged } from './plan.ts'
import { shownTime } from './shown-time.ts'
import { keepsPackets } from './smart-cut.ts'
import { openVideo, type VideoSource } from './source.ts'

/** Length of the part. */
const SECONDS = 2

/** Of a part this long or longer, the preview shows the frame after a second. */
const LEAD_SECONDS = 1

/** @throws JobFailure */
export async function partOf(input: TaskInput, options: VideoOptions | AnimationOptions): Promise<Excerpt> {
  const source = await openVideo(input)
  const { seconds } = source.media
  const span = spanOf(options.trim, seconds)
  const total = lengthWithin(span, seconds)
  if (total !== null && total <= SECONDS * 1.25) return { options, whole: bytes => bytes, isPart: false }
  const from = Math.max(span.start, shownTime(seconds) - LEAD_SECONDS)
  return {
    options: {
      ...options,
      ...(await encodingOf(options, source, span, total)),
      trim: { start: from, end: from + SECONDS },
    },
    whole: bytes => (total === null ? null : Math.round((bytes * total) / SECONDS)),
    isPart: true,
  }
}

/** What a part needs to be encoded like the whole, rather than as a part. */
async function encodingOf(
  options: VideoOptions | AnimationOptions,
  source: VideoSource,
  span: TimeRange,
  total: number | null,
): Promise<Options> {
  if (!('video' in options)) return {}
  const { codec, targetSize } = options.video
  // A part would be re-encoded; of what can be cut, most is kept.
  const isCopied =
    codec === 'auto' &&
    !isChanged({ ...options, trim: { start: 0 } }) &&
    (isWhole(span) || (await keepsPackets(source, span)))
  return {
    video: {
      ...options.video,
      codec: isCopied ? 'copy' : codec,
      ...(targetSize !== undefined && total !== null && { targetSize: (targetSize * SECONDS) / total }),
    },
  }
}
