/** Decides how to process a media file: which track, copied or encoded, through which filters. */

import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { isDefault } from '../../catalogue/options.ts'
import type { JoinMethod } from '../../engines/media/ffmpeg/parallel.ts'
import type { AudioTrack, MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { type Codec, codecOf, losesDepth, type Shape } from './codecs.ts'
import { laying, positioned } from './layouts.ts'
import { type AudioOptions, audioOptions } from './options.ts'
import { cutSound, isWhole, type TimeRange } from './span.ts'

export interface Plan {
  track: AudioTrack
  /** Whether packets are copied unchanged. */
  copy: boolean
  /** Whether a part is found by counting samples from the start, since the source's times or seeking cannot be trusted. */
  counted: boolean
  /** Filters before those of loudness. */
  filters: string[]
  /** Filters after them. */
  lastFilters: string[]
  /** Whether filters leave something out. */
  shortens: boolean
  /** Output arguments: mapping, codec, container. */
  output: string[]
  /** Whether encoding changes the sound. */
  lossy: boolean
  /** Sample rate of the output. */
  sampleRate: number
  /** How parts encoded at the same time are joined; null if it must be encoded in one run. */
  join: JoinMethod | null
}

/**
 * @throws JobFailure `no_audio_track` if the requested track does not exist, `unsupported_input` if the target cannot
 * hold it
 */
export function planOf(
  media: MediaInfo,
  target: string,
  options: AudioOptions,
  span: TimeRange = { start: 0, end: null },
): Plan {
  const track = pickTrack(media.tracks, options.audio.track)
  const codec = codecOf(target, options.audio)
  const whole = isWhole(span) && !options.chapters?.split
  const copy =
    canCopy(track, codec, target, options) &&
    !media.chained &&
    (whole || (codec.cutsCopies === true && !media.video && !span.gaps))
  const output = [
    ...['-map', `0:a:${track.position}`, '-vn', '-sn', '-dn'],
    // Tags are written afterwards; ffmpeg only copies half of them, and many that are no longer true.
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact'],
  ]
  if (copy) {
    return {
      ...{ track, copy, counted: isCounted(media, track), lossy: false, shortens: false },
      ...{ filters: [], lastFilters: [], sampleRate: track.sampleRate, join: null },
      output: [
        ...[...output, '-c:a', 'copy', ...codec.container],
        ...(track.language ? ['-metadata:s:a:0', `language=${track.language}`] : []),
      ],
    }
  }
  const shape = shapeOf(track, codec, target, options.audio)
  const encoder = codec.encoder(track, shape)
  const sound = filtersOf(
    track,
    codec,
    shape,
    losesDepth(track, encoder),
    sideOf(options.audio.channels, track),
  )
  return {
    track,
    copy,
    counted: isCounted(media, track),
    lossy: codec.lossy,
    shortens: options.silence.cut,
    ...sound,
    filters: [...sound.filters, ...withoutSilence(options)],
    output: [
      ...output,
      '-flags:a',
      '+bitexact',
      ...encoder,
      '-ar',
      String(shape.sampleRate),
      ...codec.container,
    ],
    sampleRate: shape.sampleRate,
    join: options.silence.cut ? null : (codec.join?.(shape) ?? null),
  }
}

/**
 * ASF timestamps are only approximate, and those of an Ogg chain start again with each media file. In WAV, ffmpeg seeks compressed
 * samples by an average rate, seconds off for ADPCM, and packets of AC-3 and AMR have no times at all without a container. What is unpacked for ffmpeg, such as PAF, comes through a pipe.
 */
const isCounted = ({ chained, container, seekable }: MediaInfo, { codec }: AudioTrack): boolean =>
  chained ||
  codec.startsWith('wma') ||
  /^(ac3|eac3|amr)$/.test(container) ||
  (/^(wav|w64|flac|)$/.test(container) && !seekable)

/** Whether packets can be copied unchanged, provided that all of them are: nothing about the sound was chosen but its container. */
const canCopy = (
  track: AudioTrack,
  codec: Codec,
  target: string,
  { audio, loudness, silence }: AudioOptions,
): boolean =>
  codec.copies.includes(track.codec) &&
  isDefault(audioOptions(target).audio.properties, audio, ['codec', 'targetSize']) &&
  !loudness.normalize &&
  !silence.cut

/** @throws JobFailure `no_audio_track` if the requested track does not exist */
export function pickTrack(tracks: readonly AudioTrack[], wanted?: string): AudioTrack {
  const first = tracks.find(({ preferred }) => preferred) ?? tracks[0]
  if (!first) throw new JobFailure('jobs.no_audio_track')
  if (wanted === undefined || wanted === 'default') return first
  const found = trackNamed(tracks, wanted)
  if (found) return found
  throw new JobFailure(
    'jobs.no_audio_track',
    message('recording.no_such_track', { wanted, tracks: namesOf(tracks) }),
  )
}

interface Numbered {
  position: number
  language: string | null
}

/** The track of a number, counted from 1, or of a language: its exact tag first, then any of the same language. */
export const trackNamed = <Track extends Numbered>(
  tracks: readonly Track[],
  wanted: string,
): Track | undefined =>
  /^\d+$/.test(wanted)
    ? tracks.find(({ position }) => position === Number(wanted) - 1)
    : (tracks.find(({ language }) => language?.toLowerCase() === wanted.toLowerCase()) ??
      tracks.find(({ language }) => language !== null && sameLanguage(language, wanted)))

/** Numbers and languages of tracks, for people who have to choose one. */
export const namesOf = (tracks: readonly Numbered[]): string =>
  tracks
    .map(({ position, language }) => `${position + 1} ${language ?? ''}`.trim())
    .join(', ')
    .slice(0, 120)

/** Compares language codes of different lengths: `en`, `eng` and `en-GB` are the same language. */
function sameLanguage(a: string, b: string): boolean {
  try {
    return new Intl.Locale(a).language === new Intl.Locale(b).language
  } catch {
    return a.toLowerCase() === b.toLowerCase()
  }
}

/** Requested sample rate; null for the media file's own. */
const rateOf = ({ sampleRate }: { channels: string; sampleRate?: string }): number | null =>
  sampleRate === undefined || sampleRate === 'auto' ? null : Number(sampleRate)

/** How many channels there are of so many, by what was chosen. */
export const channelsOf = (wanted: AudioOptions['audio']['channels'], own: number): number =>
  wanted === 'auto' ? own : wanted === 'stereo' ? 2 : 1

/** The filter that leaves one side. */
export function sideOf(wanted: string, { channels }: Pick<AudioTrack, 'channels'>): string[] {
  const side = { left: 0, right: Math.min(1, channels - 1) }[wanted]
  return side === undefined ? [] : [`pan=mono|c0=c${side}`]
}

/** Leaves out pauses but for their padding; times go on without them. */
function withoutSilence({ silence: { cut, threshold, shortest, padding } }: AudioOptions): string[] {
  if (!cut) return []
  // Half of it stays after what was said, half before what follows.
  const below = (where: string) => `${where}_threshold=${threshold}dB:${where}_silence=${padding / 2}`
  return [
    `silenceremove=start_periods=1:${below('start')}:stop_periods=-1:stop_duration=${shortest}:${below('stop')}`,
    'asetpts=N/SR/TB',
  ]
}

function shapeOf(track: AudioTrack, codec: Codec, target: string, audio: AudioOptions['audio']): Shape {
  const wanted = channelsOf(audio.channels, track.channels)
  const channels = wanted > 2 && codec.maxChannels === 2 ? 2 : wanted
  if (channels > codec.maxChannels || (channels !== track.channels && track.channels > 8)) {
    throw new JobFailure(
      'jobs.unsupported_input',
      message('recording.too_many_channels', { channels: track.channels, format: target.toUpperCase() }),
    )
  }
  const rate = rateOf(audio) ?? track.sampleRate
  return { channels, sampleRate: nearestRate(rate, codec.sampleRates) }
}

/** The rate itself, or the lowest one that keeps all of the audio, or one that divides it evenly. */
function nearestRate(rate: number, allowed: readonly number[] | undefined): number {
  if (!allowed || allowed.includes(rate)) return rate
  return (
    allowed.find(candidate => candidate > rate) ??
    allowed.findLast(candidate => rate % candidate === 0) ??
    allowed.at(-1) ??
    rate
  )
}

/**
 * Times that continue from one frame to the next, but for gaps of more than 50 ms: those of AC-3, WMA and Matroska are rounded, and a
 * page of Ogg that counts fewer samples than it has must be refused (RFC 7845, section 4.5). The variables are the gap, the samples of the
 * previous frame, the time of this one and that of the next.
 */
const steadyTimes =
  "asetpts='st(1,PTS-PREV_INPTS-ld(2));st(2,NB_SAMPLES);st(3,ld(0)+if(gt(ld(1),SR/20),ld(1)));st(0,ld(3)+NB_SAMPLES);ld(3)'"

const LAYOUTS: Record<number, string> = { 1: 'mono', 2: 'stereo' }

function filtersOf(track: AudioTrack, codec: Codec, shape: Shape, dither: boolean, side: readonly string[]) {
  const isWhole = shape.channels === track.channels
  const layout = isWhole ? codec.layouts?.[shape.channels] : LAYOUTS[shape.channels]
  const pan = isWhole && codec.layouts ? positioned(track.layout, Object.values(codec.layouts)) : null
  const laidOut = layout && layout !== track.layout ? [pan ?? laying(track, layout)] : []
  const filters = side.length > 0 ? [...side] : laidOut
  // Rounding 24 bits to 16 would distort quiet passages; noise below hearing keeps them clean.
  const lastFilters = [
    ...(dither ? ['aresample=osf=s16:dither_method=triangular'] : []),
    ...(codec.countsSamples ? [steadyTimes] : []),
  ]
  return { filters, lastFilters }
}

/** Seconds decoded before a cut, because MP3 and AAC frames depend on previous ones. */
const PREROLL_SECONDS = 0.5

/**
 * How to read only the span: arguments before the input, and filters that cut at the exact sample. Copies start with the
 * packet that contains the start of the span.
 */
export function cut(span: TimeRange, { copy, counted }: Plan): { inputOptions: string[]; filters: string[] } {
  const { start, end } = span
  const time = (seconds: number) => seconds.toFixed(6)
  if (counted && (start > 0 || end !== null)) {
    const until = end === null ? '' : `:end=${time(end)}`
    const trim = ['asetpts=N/SR/TB', `atrim=start=${time(start)}${until}`, 'asetpts=N/SR/TB']
    return { inputOptions: [], filters: [...trim, ...cutSound(span)] }
  }
  const preroll = copy ? 0 : Math.min(start, PREROLL_SECONDS)
  return {
    inputOptions: [
      ...(start > preroll ? ['-ss', time(start - preroll)] : []),
      ...(end === null ? [] : ['-t', time(end - start + preroll)]),
    ],
    filters: [
      ...(preroll > 0 ? [`atrim=start=${time(preroll)}`, 'asetpts=PTS-STARTPTS'] : []),
      ...cutSound(span),
    ],
  }
}
