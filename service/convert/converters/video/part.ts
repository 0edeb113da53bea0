/** Some seconds of a video, from which the size of the whole result is estimated. */
import type { Excerpt, Options, TaskInput } from '../../catalogue/task.ts'
import { lengthWithin, spanOf } from '../audio/span.ts'
import type { AnimationOptions, VideoOptions } from './options.ts'
import { isChanged } from './plan.ts'
import { shownTime } from './shown-time.ts'
import { isCuttable } from './smart-cut.ts'
import { describeVideo } from './source.ts'

/** Length of the part. */
const SECONDS = 2

/** Of a part this long or longer, the preview shows the frame after a second. */
const LEAD_SECONDS = 1

/** @throws JobFailure */
export async function partOf(input: TaskInput, options: VideoOptions | AnimationOptions): Promise<Excerpt> {
  const media = await describeVideo(input)
  const { seconds } = media
  const span = spanOf(options.trim, seconds)
  const total = lengthWithin(span, seconds)
  if (total !== null && total <= SECONDS * 1.25) return { options, whole: bytes => bytes, isPart: false }
  const from = Math.max(span.start, shownTime(seconds) - LEAD_SECONDS)
  return {
    options: {
      ...options,
      ...encodingOf(options, total, isCuttable(media)),
      trim: { start: from, end: from + SECONDS },
    },
    whole: bytes => (total === null ? null : Math.round((bytes * total) / SECONDS)),
    isPart: true,
  }
}

/** What a part needs to be encoded like the whole, rather than as a part. */
function encodingOf(
  options: VideoOptions | AnimationOptions,
  total: number | null,
  isKept: boolean,
): Options {
  if (!('video' in options)) return {}
  const { codec, targetSize } = options.video
  // Most is kept however it is cut.
  const uncut = isKept ? { ...options, trim: { start: 0 } } : options
  return {
    video: {
      ...options.video,
      // A part would be re-encoded.
      codec: codec === 'auto' && !isChanged(uncut) ? 'copy' : codec,
      ...(targetSize !== undefined && total !== null && { targetSize: (targetSize * SECONDS) / total }),
    },
  }
}
