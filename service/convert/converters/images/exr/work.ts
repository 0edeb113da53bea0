/** OpenEXR, as ffmpeg reads it: ImageMagick's build has eight bits, too few for the dark parts of linear light. */
import { join } from 'node:path'
import type { Output, Task } from '../../../catalogue/task.ts'
import { run } from '../../../engines/ffmpeg/run.ts'
import type { ImageOptions } from '../options.ts'
import { imageSettings } from '../write/settings.ts'
import { writeStill } from '../write/still.ts'

/**
 * Colours are held multiplied by their opacity in linear light: they are divided by it before they are brought to sRGB
 * and to eight bits. Grey is said to have its full range, and becomes whole numbers first, since ffmpeg otherwise
 * spreads it as that of videos, and fills one plane alone of three.
 */
const STRAIGHT = [
  ...['setparams=range=pc', 'format=rgba64le', 'format=gbrapf32le', 'unpremultiply=inplace=1'],
  'zscale=tin=linear:t=iec61966-2-1',
].join()
const WRITING = [
  '-vf',
  STRAIGHT,
  '-frames:v',
  '1',
  '-c:v',
  'png',
  '-compression_level',
  '1',
  '-pix_fmt',
  'rgba',
  '-f',
  'image2',
  '-update',
  '1',
]

/** Longest that a picture may take, in seconds. */
const SECONDS = 300

/** @throws JobFailure as `run` does */
export async function convert(task: Task<ImageOptions>): Promise<Output[]> {
  task.progress(0, 'preparing')
  const path = join(task.folder, 'decoded.png')
  await run({
    ...{ input: task.input.path, demuxer: 'exr_pipe' },
    ...{ output: path, outputOptions: WRITING, seconds: SECONDS },
  })
  task.progress(0.5, 'converting')
  return writeStill(task, { encoded: path }, imageSettings(task))
}
