/** Decides which tracks of sound a video keeps, and how each is written. */
import { message } from '../../../shared/messages/message.ts'
import { isDefault } from '../../catalogue/options.ts'
import { type AudioTrack, isLossless, type MediaInfo } from '../../engines/media/ffmpeg/recording.ts'
import { laying } from '../audio/layouts.ts'
import { CEILING_DBTP, findGain, gainFilters, measureLevel } from '../audio/loudness.ts'
import { channelsOf, pickTrack, sideOf } from '../audio/plan.ts'
import { cutSound, type TimeRange } from '../audio/span.ts'
import type { Box } from './boxes.ts'
import { type VideoOptions, videoOptions } from './options.ts'
import type { VideoTask } from './pass.ts'
import { kilobitsOf, type SoundName, soundCodecs } from './sound-codecs.ts'
import { tempo } from './speed.ts'

/** How often the effect of a limiter is measured. */
const ATTEMPTS = 3

/** Most channels of the layouts that encoders know. */
const MOST_CHANNELS = 8

export interface SoundPlan {
  track: AudioTrack
  /** Arguments of its encoder, but for its number; null if its packets are kept. */
  encoding: {
    encoder: string
    kilobits: number | null
    within: (kilobits: number) => number
    filters: string[]
  } | null
}

/**
 * The tracks that stay, in the order in which they were asked for.
 * @param isCut whether packets cannot be copied, since something is cut out among them
 * @returns also how many of those are lost that the format could not hold
 * @throws JobFailure `no_audio_track` if one is asked for that the video does not have
 */
export function soundOf(
  { tracks, chained }: MediaInfo,
  { sound: { keeps, codecs, sampleRate, tracks: most = Infinity } }: Box,
  { audio, video }: VideoOptions,
  {
    span,
    gains = new Map(),
    isCut = false,
  }: { span: TimeRange; gains?: ReadonlyMap<number, readonly string[]> | undefined; isCut?: boolean },
): { sound: SoundPlan[]; lost: number } {
  if (audio.remove) return { sound: [], lost: 0 }
  const wanted = chosen(tracks, audio.tracks)
  const readable = wanted.filter(({ codec, channels }) => codec !== 'none' && codec !== '' && channels > 0)
  const held = most === 1 ? readable.toSorted((a, b) => Number(b.preferred) - Number(a.preferred)) : readable
  const kept = held.slice(0, most)
  const { speed, targetSize } = video
  const isChanged = !isDefault(videoOptions('mp4').audio.properties, audio, ['codec', 'tracks', 'remove'])
  // Within a size, its rate must be known.
  const canCopy = !isCut && targetSize === undefined && speed === 1 && !isChanged
  const name = audio.codec === 'auto' ? codecs[0]! : (audio.codec as SoundName)
  const known = soundCodecs[name]
  const { codec, encoder, layouts, sampleRates } = known
  const rates = sampleRate ? [sampleRate] : sampleRates
  const sound = kept.map(track => {
    const isKept = audio.codec === 'auto' ? keeps.includes(track.codec) : track.codec === codec
    const gain = gains.get(track.position)
    if (canCopy && !gain && isKept && (!chained || isLossless(track.codec))) return { track, encoding: null }
    const most = layouts.length > 0 ? MOST_CHANNELS : 2
    const channels = channelsOf(audio.channels, Math.min(track.channels, most))
    // Encoders know only the usual layouts.
    const usual = [...layouts, ...(track.channels > 2 ? [] : ['mono']), 'stereo'].join('|')
    const laidOut = audio.channels === 'auto' ? usual : channels === 1 ? 'mono' : 'stereo'
    const { delay } = audio
    const filters = [
      // Silence where the sound of one of several ends before its picture.
      ...(chained ? ['aresample=async=1:min_hard_comp=0.005:first_pts=0'] : []),
      ...(delay > 0 ? [`adelay=${delay}:all=1`] : []),
      ...(delay < 0 ? [`atrim=start=${-delay / 1000}`, 'asetpts=PTS-STARTPTS'] : []),
      ...cutSound(span),
      ...tempo(speed),
      ...sideOf(audio.channels, track),
      `${laying(track, laidOut)}${rates ? `:sample_rates=${rates.join('|')}` : ''}`,
      ...(gain ?? []),
    ]
    const kilobits = kilobitsOf(known, channels, audio.bitrate)
    const within = (bits: number) => kilobitsOf(known, channels, bits) ?? 0
    return { track, encoding: { encoder, kilobits, within, filters } }
  })
  return { sound, lost: wanted.length - kept.length }
}

/**
 * Filters that bring each track to the loudness that was asked for, by positions; none of one that is silent, with a warning.
 * @throws JobFailure as `run` does
 */
export async function gainsOf(
  { media, open, span, task }: VideoTask,
  box: Box,
  options: VideoOptions,
): Promise<Map<number, string[]>> {
  const gains = new Map<number, string[]>()
  const { normalize, target } = options.loudness
  if (!normalize) return gains
  const whole = new Map(media.tracks.map(({ position }) => [position, []]))
  for (const { track, encoding } of soundOf(media, box, options, { span, gains: whole }).sound) {
    // The limiter counts its times from the first sample.
    const first = [...(encoding?.filters ?? []), 'aresample=async=1:first_pts=0']
    const measure = (filters: readonly string[]) =>
      measureLevel(open(span), `0:a:${track.position}`, [...first, ...filters])
    const level = await measure([])
    if (!level) {
      task.warn(message('recording.loudness_not_measured'))
      continue
    }
    const goal = { target, ceiling: CEILING_DBTP }
    const found = await findGain(level, goal, ATTEMPTS, gain => measure(gainFilters(gain, track.sampleRate)))
    gains.set(track.position, [...first.slice(-1), ...gainFilters(found, track.sampleRate)])
  }
  return gains
}

/** The tracks of a list such as `2, en`. */
function chosen(tracks: readonly AudioTrack[], list: string): readonly AudioTrack[] {
  if (list === 'all') return tracks
  return [...new Set(list.split(',').map(word => pickTrack(tracks, word.trim())))]
}
