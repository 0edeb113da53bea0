/** Joins videos into one, with a chapter for each. */
import { splitName } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { ffmpeg } from '../../../engines/media/ffmpeg/locate.ts'
import type { MediaInfo } from '../../../engines/media/ffmpeg/recording.ts'
import { openEach } from '../../audio/joined/open-each.ts'
import { isWhole, spanOf } from '../../audio/span.ts'
import type { VideoOptions } from '../options.ts'
import { planOf } from '../plan.ts'
import { openVideo, pictureOf } from '../source.ts'
import { convertVideo } from '../work.ts'
import { joined } from './source.ts'

/** @throws JobFailure as `openEach`, `joined` and `convertVideo` do */
export async function convert(task: Task<Omit<VideoOptions, 'subtitles'>>): Promise<Output[]> {
  const members = await openEach(task, async ({ path, name, bytes, format }) => {
    const { stem } = splitName(name)
    const source = await openVideo({ path, name, stem, bytes, format })
    return { ...source, path, stem, picture: pictureOf(source.media, task.warn) }
  })
  const options: VideoOptions = { ...task.options, subtitles: { mode: 'drop', track: 1 } }
  const { encoders } = await ffmpeg()
  const span = spanOf(options.trim, null)
  const isKept = (media: MediaInfo) =>
    isWhole(span) && planOf(media, task.target, options, { encoders, cores: task.cores, span }).video === null
  const whole = await joined(members, task, isKept, options.video.deinterlace)
  // What was brought together is whole already.
  const video = { ...options.video, deinterlace: 'auto' } as const
  return convertVideo({ ...task, options: { ...options, video } }, whole)
}
