/** Puts videos into other formats, encoded anew where that is needed or asked for. */
import { join } from 'node:path'
import type { Output, Task } from '../../catalogue/task.ts'
import { ffmpeg } from '../../engines/ffmpeg/locate.ts'
import { spanOf } from '../audio/plan.ts'
import { qualityArguments } from './codecs.ts'
import type { VideoOptions } from './options.ts'
import { type Film, judge, pass } from './pass.ts'
import { type Plan, planOf } from './plan.ts'
import { encodeWithin } from './size.ts'
import { describeVideo } from './source.ts'

/** Quality unless another is chosen. */
export const QUALITY = 70

export async function convert(task: Task<VideoOptions>): Promise<Output[]> {
  const { options, target, cores } = task
  const recording = await describeVideo(task.input)
  const span = spanOf(options.trim, recording.estimated ? null : recording.seconds)
  const { encoders } = await ffmpeg()
  const plan = planOf(recording, target, options, { encoders, cores })
  for (const warning of plan.warnings) task.warn(warning)
  const film: Film = { task, recording, span }
  const path = join(task.folder, `output.${target}`)
  const { targetSize, quality = QUALITY } = options.video
  const finished =
    plan.video && targetSize !== undefined
      ? await encodeWithin(film, plan, path, targetSize * 1e6)
      : await pass(film, path, withQuality(plan, quality), [0, 1])
  judge(film, finished)
  return [{ path }]
}

function withQuality({ video, tracks, picture, rest, container }: Plan, quality: number): string[] {
  const rate = video ? qualityArguments(video.encoder, quality) : []
  return [...tracks, ...picture, ...rate, ...rest, ...container]
}
