/** The part of the picture that is kept: what was chosen, or what lies within black bars. */
import { message } from '../../../shared/messages/message.ts'
import type { Task } from '../../catalogue/task.ts'
import type { PictureTrack } from '../../engines/media/ffmpeg/recording.ts'
import { run } from '../../engines/media/ffmpeg/run.ts'
import type { Area } from '../../engines/pictures/moves.ts'
import { warnedArea } from '../images/crop.ts'
import type { CropOptions } from './options.ts'
import type { VideoTask } from './pass.ts'
import { shownSize } from './source.ts'

/** Pixels of which colours are stored once in both directions. */
const PAIR = 2

/**
 * Filters that cut the upright picture, and the picture after them; a part of one pixel of colour at least.
 * @throws JobFailure `unsupported_input` if the part lies outside
 */
export function cropped(
  picture: PictureTrack,
  { crop }: CropOptions,
  task: Pick<Task, 'warn'>,
): { filters: string[]; picture: PictureTrack } {
  const size = shownSize(picture)
  const { left, top, width, height } = warnedArea(crop, size, task, picture.pixelAspect)
  if (width === size.width && height === size.height) return { filters: [], picture }
  const pairs = (pixels: number) => Math.max(Math.min(PAIR, pixels), pixels - (pixels % PAIR))
  const part = { width: pairs(width), height: pairs(height) }
  return {
    filters: [`crop=${part.width}:${part.height}:${left}:${top}`],
    picture: { ...picture, ...part, rotation: 0 },
  }
}

/** So many key frames show where bars are, and are read many times sooner than all frames. */
const ENOUGH = 20

/**
 * The same options with the black bars of the whole part in numbers.
 * @throws JobFailure as `run` does
 */
export async function withBars<Options extends CropOptions>(
  video: VideoTask,
  picture: PictureTrack,
  options: Options,
): Promise<Options> {
  if (options.crop.mode !== 'auto') return options
  const size = shownSize(picture)
  const found = (await barsOf(video, picture, true)) ?? (await barsOf(video, picture, false)) ?? {}
  const isWhole = (found.width ?? size.width) >= size.width && (found.height ?? size.height) >= size.height
  if (isWhole) video.task.warn(message('video.no_bars'))
  const crop = { mode: 'manual', aspect: 'free', gravity: 'center', ...(isWhole ? {} : found) } as const
  return { ...options, crop }
}

/** What was never black; nothing if all was. Null if there were too few key frames to tell. */
async function barsOf(
  { open, span }: VideoTask,
  picture: PictureTrack,
  onlyKeys: boolean,
): Promise<Partial<Area> | null> {
  const { inputOptions, ...input } = open(span)
  const bars = 'cropdetect=round=2:reset=0:skip=0'
  const { log } = await run({
    ...{ ...input, output: null, verbosity: 'info' },
    inputOptions: [...(onlyKeys ? ['-skip_frame', 'nokey'] : []), ...inputOptions],
    outputOptions: ['-map', `0:v:${picture.position}`, '-vf', bars, '-an', '-sn', '-dn'],
  })
  const found = [...log.matchAll(/ crop=(\d+):(\d+):(\d+):(\d+)$/gm)]
  if (onlyKeys && found.length < ENOUGH) return null
  const last = found.at(-1)
  if (!last) return {}
  const [width, height, left, top] = last.slice(1).map(Number) as [number, number, number, number]
  return { left, top, width, height }
}
