/** Makes a video smaller in its own format. */
import { stat } from 'node:fs/promises'
import { message } from '../../../../shared/messages/message.ts'
import { isDefault } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { copyContent } from '../../../engines/common/copy-content.ts'
import { isBrokenOff } from '../../../engines/media/ffmpeg/recording.ts'
import { boxOf } from '../boxes.ts'
import { codecs, hasQuality } from '../codecs.ts'
import { type VideoOptions, videoOptions } from '../options.ts'
import { describeVideo } from '../source.ts'
import { convert as convertVideo, QUALITY } from '../work.ts'

/** Re-encoding costs quality, which is only worth it if the file becomes this much smaller. */
const WORTHWHILE = 0.9

/** Codecs in which pictures are kept for editing, by ffmpeg's names. */
const FOR_EDITING = /^(prores|dnxhd|cfhd|ffv1)$/

export async function convert(task: Task<VideoOptions>): Promise<Output[]> {
  const { options, input } = task
  const { targetSize, quality, ...video } = options.video
  if (!isDefault(videoOptions(task.target), options, ['quality', 'targetSize', 'hardware']))
    return convertVideo(task)
  const media = await describeVideo(input)
  const { picture } = media
  const isAsked = targetSize !== undefined || quality !== undefined
  // What breaks off gets a header that is true.
  if (!isAsked && isBrokenOff(media))
    return convertVideo({ ...task, options: { ...options, video: { ...options.video, codec: 'copy' } } })
  const { codecs: known } = boxOf(task.target)
  const codec = known.find(name => codecs[name].codec === picture?.codec && hasQuality(name)) ?? video.codec
  const wanted = {
    codec,
    ...(targetSize === undefined ? { quality: quality ?? QUALITY } : { quality, targetSize }),
  }
  // What is for editing loses its worth by a codec for watching.
  const isKept =
    (targetSize !== undefined && input.bytes <= targetSize * 1e6) ||
    (!isAsked && FOR_EDITING.test(picture?.codec ?? ''))
  const outputs = isKept
    ? []
    : await convertVideo({ ...task, options: { ...options, video: { ...video, ...wanted } } })
  const [output = { path: `${task.folder}/output.${task.target}` }] = outputs
  const isSmaller = async () => (await stat(output.path)).size < input.bytes * WORTHWHILE
  // A size that was asked for is met, however little is saved.
  if (!isKept && (targetSize !== undefined || isBrokenOff(media) || (await isSmaller()))) return outputs
  await copyContent(input.path, output.path)
  task.warn(message('same.kept'))
  return [output]
}
