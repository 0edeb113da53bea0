/** Takes the video out of a photo, or makes an animation of it. */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { brandsOf, readHead } from '../../../../shared/picture-signatures.ts'
import { type OptionsOf, withDefaults } from '../../../catalogue/options.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { motionVideoIn } from '../../../engines/pictures/formats/motion-photo.ts'
import { convert as animate } from '../../video/animation.ts'
import { lossyAnimationOptions, videoOptions } from '../../video/options.ts'
import { convert as convertVideo } from '../../video/work.ts'

/** @throws JobFailure unsupported_input if there is none */
export async function convert(task: Task<unknown>): Promise<Output[]> {
  const { folder, input, target } = task
  const video = await motionVideoIn(input.path)
  if (!video) throw new JobFailure('jobs.unsupported_input', message('picture.no_film'))
  const path = join(folder, 'clip.mp4')
  await pipeline(
    createReadStream(input.path, { start: video.start, end: video.end - 1 }),
    createWriteStream(path),
  )
  const { probe: _ofPhoto, ...own } = input
  const clip = { ...task, input: { ...own, path, format: 'mp4', bytes: video.end - video.start } }
  if (target !== 'mp4') return animate({ ...clip, options: defaultsOf(lossyAnimationOptions) })
  const [brand] = brandsOf(await readHead(path))
  return brand === 'qt  ' ? convertVideo({ ...clip, options: defaultsOf(videoOptions('mp4')) }) : [{ path }]
}

const defaultsOf = <const Options extends Parameters<typeof withDefaults>[0]>(options: Options) =>
  withDefaults(options, {}) as OptionsOf<Options>
