/** Puts videos into other formats, re-encoded where that is needed or asked for. */
import { join } from 'node:path'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Output, Task } from '../../catalogue/task.ts'
import { writeLanguages } from '../../engines/media/ffmpeg/languages.ts'
import { ffmpeg, isOlder } from '../../engines/media/ffmpeg/locate.ts'
import type { MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { copyPictures } from '../../engines/media/taglib/tags.ts'
import { isWhole, lengthWithin, spanOf, type TimeRange } from '../audio/span.ts'
import { chaptersWithin } from '../audio/tags.ts'
import { boxOf } from './boxes.ts'
import { burned, throwBurnFailure } from './burn.ts'
import { codecs, qualityArguments } from './codecs.ts'
import { withBars } from './crop.ts'
import { workingCard } from './hardware.ts'
import { cutAtKeyFrames } from './key-frames.ts'
import { lightArguments } from './light.ts'
import type { VideoOptions } from './options.ts'
import { checkFinished, pass, type VideoTask } from './pass.ts'
import { isDeep, type Plan, planOf } from './plan.ts'
import { encodeToSize } from './size.ts'
import { smartCut } from './smart-cut.ts'
import { gainsOf } from './sound.ts'
import { openVideo, type VideoSource } from './source.ts'
import { retimed, writeChapters } from './speed.ts'

/** The least that is said of what stays since a picture cannot be cut there. */
const TOLD_SECONDS = 0.05

/** Quality unless another is chosen. */
export const QUALITY = 70

/** @throws JobFailure as `convertVideo` does */
export const convert = async (task: Task<VideoOptions>): Promise<Output[]> =>
  convertVideo(task, await openVideo(task.input, { transparent: task.target === 'webm' }))

/** @throws JobFailure as `planOf`, `encodeWithin` and `pass` do */
export async function convertVideo(task: Task<VideoOptions>, source: VideoSource): Promise<Output[]> {
  const { target, cores } = task
  const { media } = source
  const wanted = spanOf(task.options.trim, media.estimated ? null : media.seconds)
  const { encoders, version } = await ffmpeg()
  const whole: VideoTask = { ...source, task, span: wanted, speed: 1 }
  const options = media.picture ? await withBars(whole, media.picture, task.options) : task.options
  const { subtitles } = options
  const burnIn = subtitles.mode === 'burn' ? await burned(task, media, subtitles.track, wanted.start) : []
  const gains = await gainsOf(whole, boxOf(target), options)
  let cutsPackets = !isOlder(version, '6.1')
  const planned = (span: TimeRange, card?: string) =>
    planOf(media, target, options, { encoders, cores, burnIn, gains, span, cutsPackets, card })
  const isCopied = wanted.gaps !== undefined && planned(wanted).video === null
  const atKeys = isCopied ? await cutAtKeyFrames(whole) : null
  const uncut = { ...options, trim: { start: 0 } }
  const isJustCut =
    !isWhole(wanted) &&
    options.video.codec !== 'copy' &&
    planOf(media, target, uncut, { encoders, cores, span: spanOf(uncut.trim, null) }).video === null
  const joined = isJustCut && encoders.has('libx264') ? await smartCut(whole) : null
  cutsPackets &&= !isCopied || atKeys !== null
  const span = joined?.span ?? atKeys ?? wanted
  const more = (lengthWithin(span, media.seconds) ?? 0) - (lengthWithin(wanted, media.seconds) ?? 0)
  if (more > TOLD_SECONDS) task.warn(message('video.cut_at_key_frames', { seconds: more.toFixed(1) }))
  const software = joined ? withPicture(planned(span), media, options) : planned(span)
  const plan = (await onCard(media, options, software, card => planned(span, card))) ?? software
  const unused = message('video.card_unused', { codec: plan.video ? codecs[plan.video.codec].codec : '' })
  if (options.video.hardware && plan === software && plan.video) task.warn(unused)
  for (const warning of plan.warnings) task.warn(warning)
  if (software.video)
    software.picture.push(...(await lightArguments(whole, software.video.encoder, software.picture)))
  const { targetSize, quality = QUALITY, speed } = options.video
  const ownInputs = await retimed(task, media, plan.retimed, { span, speed })
  const chapters = await ownChapters(task, media, span)
  const place = chapters && String(ownInputs.push(chapters))
  if (place) for (const each of new Set([plan, software])) each.rest.push('-map_chapters', place)
  if (joined) software.tracks[1] = `${ownInputs.length + 1}:v:0`
  const moreInputs = joined ? [joined.input] : []
  const video: VideoTask = { ...source, task, span, speed, ownInputs, moreInputs }
  const path = join(task.folder, `output.${target}`)
  const write = (plan: Plan) =>
    plan.video && targetSize !== undefined
      ? encodeToSize(video, plan, path, targetSize * 1e6)
      : pass(video, path, withQuality(plan, quality), [0, 1])
  const encoding = write(plan).catch(error => {
    // A card may refuse what it is asked later than at a trial: sizes beyond its own, or a session too many.
    if (plan === software || !(error instanceof JobFailure) || error.code !== 'jobs.engine_crashed')
      throw error
    task.warn(unused)
    return write(software)
  })
  checkFinished(video, await (burnIn.length > 0 ? encoding.catch(throwBurnFailure) : encoding))
  if (target === 'mov') await writeLanguages(path, plan.languages)
  const hasCovers = media.covers > 0 && !options.metadata.strip
  if (hasCovers && (target === 'webm' || !(await copyPictures(task.input.path, path))))
    task.warn(message('video.cover_lost', { format: target.toUpperCase() }))
  return [{ path }]
}

/** The plan with a picture that is ready in a file of its own. */
const withPicture = (plan: Plan, { picture }: MediaInfo, { metadata }: VideoOptions): Plan => ({
  ...plan,
  video: null,
  picture: [
    ...['-c:v', 'copy'],
    ...(metadata.strip ? [] : ['-map_metadata:s:v', `0:s:v:${picture!.position}`]),
  ],
})

/** The plan with an encoder of a graphics card, if one is wanted, works, and keeps what the software's does. */
async function onCard(
  { picture }: MediaInfo,
  { video: { hardware, targetSize } }: VideoOptions,
  { video }: Plan,
  planned: (card: string) => Plan,
): Promise<Plan | null> {
  const keepsDepth = video?.encoder.highBitDepth && picture && isDeep(picture)
  if (!hardware || !video || targetSize !== undefined || keepsDepth) return null
  const card = await workingCard(video.codec)
  return card === undefined ? null : planned(card)
}

/** A file of the chapters that ffmpeg does not read, or whose times it keeps as in the whole; null if it has none. */
async function ownChapters(
  { folder, options }: Task<VideoOptions>,
  media: MediaInfo,
  span: TimeRange,
): Promise<string | null> {
  const { speed } = options.video
  const chapters = options.metadata.strip ? [] : chaptersWithin(media.chapters, span)
  const isSame = speed === 1 && isWhole(span) && !media.chained
  if (isSame || chapters.length === 0) return null
  const path = join(folder, 'chapters.txt')
  await writeChapters(path, chapters, speed)
  return path
}

function withQuality({ video, tracks, picture, rest, container }: Plan, quality: number): string[] {
  const rate = video ? qualityArguments(video.encoder, quality) : []
  return [...tracks, ...picture, ...rate, ...rest, ...container]
}
