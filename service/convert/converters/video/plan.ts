/** Decides what of a video is kept unchanged, and how the rest is encoded. */
import { JobFailure } from '../../../shared/errors.ts'
import { type Message, message } from '../../../shared/messages/message.ts'
import { isDefault } from '../../catalogue/options.ts'
import type { MediaInfo, PictureTrack, SubtitleTrack } from '../../engines/media/ffmpeg/recording.ts'
import { cutPackets, cutPictures, isWhole, lengthWithin, type TimeRange } from '../audio/span.ts'
import { boxOf, isKept } from './boxes.ts'
import { isDrawn } from './burn.ts'
import { type ChosenEncoder, codecs, encoderOf } from './codecs.ts'
import { matrixed, named, toneMapped } from './colours.ts'
import { cropped } from './crop.ts'
import { deinterlaced, withFrames } from './deinterlace.ts'
import { type VideoOptions, videoOptions } from './options.ts'
import { constantRate, nearest, positioned, scaled, sizeWithin, USUAL_RATE } from './shape.ts'
import { type SoundPlan, soundOf } from './sound.ts'
import { pictureOf } from './source.ts'
import { spedUp } from './speed.ts'
import { givenArguments, isQuickTime, tagArguments } from './tags.ts'

export interface Plan {
  /** The encoder of the picture; null if it is kept unchanged. */
  video: ChosenEncoder | null
  /** Output arguments that choose the tracks; the first passes over a file need only the picture. */
  pictureTrack: string[]
  tracks: string[]
  /** Arguments of the picture, without those of its quality. */
  picture: string[]
  /** Arguments of sound and subtitles. */
  rest: string[]
  sound: SoundPlan[]
  /** Languages of all tracks, that of the picture first. */
  languages: (string | null)[]
  /** Positions of the tracks of subtitles that are read from files of their own, which follow the video in this order. */
  retimed: number[]
  container: string[]
  warnings: Message[]
}

/** Containers that give every packet its time, without which packets cannot be put into another one. */
const timed = /^(mov,|matroska|flv|mpegts)/

/** Pixels of the shorter side. */
const lines = { '2160p': 2160, '1440p': 1440, '1080p': 1080, '720p': 720, '480p': 480 }

const turns: Record<string, string[]> = {
  '90': ['transpose=clock'],
  '180': ['hflip', 'vflip'],
  '270': ['transpose=cclock'],
}

/** Whether something else than the box is to change about the picture. */
export function isChanged({ crop, video, subtitles, trim }: VideoOptions): boolean {
  // Those of all targets are the same, but for their codecs.
  const declared = videoOptions('mp4')
  return (
    !isDefault(declared.video.properties, video, ['codec', 'hardware']) ||
    !isDefault(declared.trim.properties, trim) ||
    !isDefault(declared.crop.properties, crop) ||
    subtitles.mode === 'burn'
  )
}

/**
 * @param encoders those that ffmpeg has
 * @param burnIn filters that draw subtitles into the picture
 * @param span what is kept of the video
 * @param cutsPackets whether this ffmpeg can cut out packets
 * @param gains filters of the loudness of tracks of sound, by their positions
 * @param card the encoder of a graphics card that may be used
 * @throws JobFailure `unsupported_input` without a picture, `corrupt_input`, `engine_missing`
 */
export function planOf(
  media: MediaInfo,
  target: string,
  options: VideoOptions,
  {
    encoders,
    cores,
    burnIn = [],
    gains,
    span,
    cutsPackets = true,
    card,
  }: {
    encoders: ReadonlySet<string>
    card?: string | undefined
    cores: number
    span: TimeRange
    cutsPackets?: boolean
    burnIn?: readonly string[]
    gains?: ReadonlyMap<number, readonly string[]>
  },
): Plan {
  const { container, seconds, subtitles } = media
  const warnings: Message[] = []
  const picture = pictureOf(media, warning => warnings.push(warning))
  const box = boxOf(target)
  const { video } = options
  const { strip, ...given } = options.metadata
  const { speed } = video

  // Matroska has no place for it that all players and older versions of ffmpeg know, and others have none.
  const turned = picture.rotation !== 0 && !isQuickTime(target)
  // Only their own containers can hide pictures again.
  const isShown = !media.hidesPictures || isQuickTime(target)
  const isCut = span.gaps !== undefined && !cutsPackets
  const isTimed = timed.test(container) && !turned && isShown && !isCut
  const isRedrawn = speed !== 1 || options.subtitles.mode === 'burn'
  const copied = isTimed && !isRedrawn && isKept(box, picture)
  const chosen = video.codec === 'auto' || video.codec === 'copy' ? null : video.codec
  const asked = chosen === null || codecs[chosen].codec === picture.codec
  const canCopy = isTimed && !isRedrawn && [...box.keeps, ...(box.holds ?? [])].includes(picture.codec)
  if (video.codec === 'copy' && !canCopy)
    warnings.push(message(isCut ? 'video.cut_anew' : 'video.encoded_anew', { format: target.toUpperCase() }))
  const copy = video.codec === 'copy' ? canCopy : copied && asked && !isChanged(options)

  const named = chosen ?? box.codecs[0]!
  const encoder = copy ? null : encoderOf(box, named, encoders, video.targetSize !== undefined, card)
  if (encoder && encoder.codec !== named)
    warnings.push(
      message('video.encoder_missing', { wanted: codecs[named].codec, used: codecs[encoder.codec].codec }),
    )

  const { sound, lost: lostSound } = soundOf(media, box, options, { span, gains, isCut })
  const words = options.subtitles.mode === 'keep' ? subtitles : []
  const held = words.filter(
    ({ codec }) => codec !== 'none' && box.subtitles && (box.subtitles.pictures || !isDrawn(codec)),
  )
  const kept = speed === 1 ? held : held.filter(({ codec }) => !isDrawn(codec))
  // ffmpeg would write those that begin before a part at wrong times, and those that end after it to their end.
  const isMoved = ({ codec }: SubtitleTrack) => !isDrawn(codec) && (speed !== 1 || !isWhole(span))
  const moved = kept.filter(isMoved)
  // Otherwise what precedes the exact beginning of a part would be kept, and in Matroska delay the picture.
  const fromStart = (track: string) => [
    ...(encoder !== null && span.start > 0 ? [`-copypriorss:${track}`, '0'] : []),
    ...cutPackets(span, track),
  ]
  if (kept.length < held.length) warnings.push(message('video.drawn_left_out'))
  const lost = lostSound + words.length - held.length
  if (lost > 0) warnings.push(message('video.tracks_left_out', { tracks: lost }))
  const format = target.toUpperCase()
  // The packets of VP8 and VP9 have it in an addition that only Matroska keeps.
  const keepsClear = encoder
    ? isClear(picture, encoder.encoder, target)
    : !isQuickTime(target) || !/^vp/.test(picture.codec)
  if (picture.alpha && !keepsClear) warnings.push(message('video.transparency_lost', { format }))
  const keepsDolby = encoder === null && target !== 'mov'
  if (picture.dolbyVision && !keepsDolby) warnings.push(message('video.dolby_vision_lost', { format }))
  // Those of joined videos are nothing that anybody gave them.
  if (!strip && !media.chained && media.chapters.length > 0 && box.lacks?.includes('chapters'))
    warnings.push(message('video.chapters_lost', { format }))
  if (target === 'mov' && kept.some(({ forced }) => forced))
    warnings.push(message('video.forced_lost', { format }))

  const heard = sound.map(({ track }) => track)
  const keepsWords = target === 'mkv' && container.startsWith('matroska')
  return {
    video: encoder,
    pictureTrack: ['-map', `0:v:${picture.position}`],
    tracks: [
      ...['-map', `0:v:${picture.position}`],
      ...sound.flatMap(({ track }) => ['-map', `0:a:${track.position}`]),
      ...kept.flatMap((track, index) =>
        isMoved(track)
          ? [
              '-map',
              `${moved.indexOf(track) + 1}:s:0`,
              `-map_metadata:s:s:${index}`,
              `0:s:s:${track.position}`,
            ]
          : ['-map', `0:s:${track.position}`],
      ),
      // Fonts of subtitles.
      ...(keepsWords ? ['-map', '0:t?'] : []),
      '-dn',
    ],
    picture: encoder
      ? encodedPicture(picture, video, encoder, {
          part: cropped(picture, options, { warn: warning => warnings.push(warning) }),
          target,
          cores,
          burnIn,
          span,
          seconds: lengthWithin(span, seconds),
        })
      : [
          ...['-c:v', 'copy', ...nameOf(target, picture.codec), ...cutPackets(span, 'v')],
          // Otherwise ffmpeg does not write what players need for Dolby Vision.
          ...(picture.dolbyVision ? ['-strict', 'unofficial'] : []),
        ],
    rest: [
      ...sound.flatMap(({ encoding }, index) =>
        encoding
          ? [
              ...[`-c:a:${index}`, encoding.encoder, `-filter:a:${index}`, encoding.filters.join(',')],
              ...(encoding.kilobits === null ? [] : [`-b:a:${index}`, `${encoding.kilobits}k`]),
            ]
          : [`-c:a:${index}`, 'copy', ...fromStart(`a:${index}`)],
      ),
      ...kept.flatMap((track, index) => {
        const isCopied = isDrawn(track.codec) || (keepsWords && (!isMoved(track) || track.codec === 'ass'))
        return [
          `-c:s:${index}`,
          ...(isCopied ? ['copy', ...fromStart(`s:${index}`)] : [box.subtitles!.codec]),
        ]
      }),
      ...(strip
        ? ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']
        : tagArguments({ ...media.tags, ...given }, target, heard, kept)),
      ...givenArguments(given),
    ],
    sound,
    languages: strip ? [] : [null, ...[...heard, ...kept].map(({ language }) => language)],
    retimed: moved.map(({ position }) => position),
    container: [...box.container],
    warnings,
  }
}

/** Whether a picture has more than 8 bits. */
export const isDeep = ({ pixelFormat }: PictureTrack): boolean => /p0?1[0-6](le|be)$/.test(pixelFormat)

/** Whether the encoder writes what is transparent. */
const isClear = ({ alpha }: PictureTrack, { name, pixels }: ChosenEncoder['encoder'], target: string) =>
  alpha && (pixels ? pixels[1]?.startsWith('yuva') !== false : name === 'libvpx-vp9' && target === 'webm')

/** The name under which players of Apple know H.265. */
const nameOf = (target: string, codec: string): string[] =>
  codec === 'hevc' && (target === 'mp4' || target === 'mov') ? ['-tag:v', 'hvc1'] : []

function encodedPicture(
  picture: PictureTrack,
  { resolution, longestEdge, frameRate, rotate, speed, targetSize, deinterlace }: VideoOptions['video'],
  { codec, encoder }: ChosenEncoder,
  {
    part,
    target,
    cores,
    burnIn,
    span,
    seconds,
  }: {
    part: ReturnType<typeof cropped>
    target: string
    cores: number
    burnIn: readonly string[]
    span: TimeRange
    seconds: number | null
  },
): string[] {
  const size = {
    ...(longestEdge === undefined ? {} : { longest: longestEdge }),
    ...(resolution === 'auto' ? {} : { shorter: lines[resolution] }),
  }
  const { width, height } = sizeWithin(part.picture, size)
  const least = encoder.smallest
  if (least && (width < least.width || height < least.height))
    throw new JobFailure(
      'jobs.unsupported_input',
      message('video.picture_too_small', { codec: codecs[codec].label, ...least }),
    )
  const clear = isClear(picture, encoder, target)
  const isVp9 = clear && !encoder.pixels
  const keepsDepth = encoder.highBitDepth && !isVp9 && isDeep(picture)
  const { rates } = boxOf(target)
  // A faster video has no more frames a second than before.
  const whole = deinterlaced(picture, deinterlace)
  const { fps, grid } = withFrames(picture, whole.frames)
  const wanted = frameRate ?? (speed > 1 || rates ? (fps ?? USUAL_RATE) : null)
  const rate = wanted === null ? null : nearest(wanted, rates)
  const pixels = encoder.pixels
    ? (encoder.pixels[clear ? 1 : 0] ?? null)
    : clear
      ? 'yuva420p'
      : keepsDepth
        ? 'yuv420p10le'
        : 'yuv420p'
  const [, unit] = positioned(grid)
  const times = [
    // Where frames are the units of the source, what follows a gap would move to the next one.
    ...(span.gaps && unit ? [`settb=${unit}`] : []),
    ...[...cutPictures(span), ...spedUp(speed)],
    ...(rate === null ? [] : [constantRate(rate, seconds && seconds / speed)]),
  ]
  const shape = [
    ...part.filters,
    ...scaled(part.picture, size),
    ...(turns[rotate] ?? []),
    ...(keepsDepth ? [] : toneMapped(picture)),
  ]
  const filters = [
    ...named(picture),
    ...whole.filters,
    // Frames that are left out need no work, but subtitles follow the times of the source.
    ...(burnIn.length > 0 ? [...shape, ...burnIn, ...times] : [...times, ...shape]),
    ...matrixed(picture),
    ...(pixels === null ? [] : [`format=${pixels}`]),
    ...(encoder.uploads ? ['hwupload'] : []),
  ]
  return [
    ...['-vf', filters.join(',') || 'null', '-c:v', encoder.name, ...encoder.arguments],
    // Encoders count frames, so that key frames would be the closer the more frames a second has.
    ...(encoder.groups ? ['-g', String(Math.ceil(10 * (wanted ?? fps ?? USUAL_RATE)))] : []),
    // libvpx has no frames that are not shown for what is transparent.
    ...(isVp9 ? ['-auto-alt-ref', '0'] : []),
    ...(rate === null && !(encoder.countsUnits && targetSize !== undefined) ? positioned(grid) : []),
    // Otherwise MP4 and MOV would get frames twice, and the second pass others than the first one.
    ...['-fps_mode:v', 'vfr', '-threads:v', String(cores), ...nameOf('mp4', codecs[codec].codec)],
  ]
}
