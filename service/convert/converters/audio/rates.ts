/** How each lossy target is written with few bits: the one table of their rates. */
import type { AudioTrack } from '../../engines/media/ffmpeg/recording.ts'
import type { AudioOptions, AudioTarget } from './options.ts'
import { channelsOf } from './plan.ts'
import * as ranges from './ranges.ts'

type Sound = AudioOptions['audio']

interface Rates {
  /** Fewest bits a second that the encoder takes. */
  least: number
  /** Whether it has just as many, even in pauses. */
  constant?: true
  /** Options that give about so many bits a second at a sample rate. */
  options(bits: number, shape: { channels: number; sampleRate: number }): Partial<Record<string, unknown>>
  /** Bits a second of each channel below which it has fewer samples a second, falling. */
  samples?: readonly (readonly [below: number, sampleRate: number])[]
}

/** Bits a second below which all channels become one, and those of each channel below which surround becomes stereo. */
const MONO_BITS = 32_000
const STEREO_BITS = 32_000

const kilobits = (bits: number) => ({ bitrate: Math.max(1, Math.floor(bits / 1000)) })

const samples = [
  [44_000, 32_000],
  [24_000, 24_000],
  [16_000, 16_000],
  [12_000, 8000],
] as const

const aac: Rates = { least: ranges.aac.leastBits, samples, options: kilobits }
const opus: Rates = { least: ranges.opus.leastBits, options: kilobits }

const mp3: Rates = {
  ...{ least: ranges.mp3.leastBits, constant: true },
  samples,
  options: (bits, { sampleRate }) => {
    const rates = sampleRate < 32_000 ? ranges.mp3.lowBitrates : ranges.mp3.bitrates
    return { encoding: 'constant', bitrate: rates.findLast(rate => rate * 1000 <= bits) ?? rates[0] }
  },
}

/** About the bits a second that stereo at 44.1 kHz has at each quality of Vorbis. */
const VORBIS_BITS = [
  [-1, 45_000],
  [0, 64_000],
  [4, 128_000],
  [6, 192_000],
  [8, 256_000],
  [9, 320_000],
  [10, 500_000],
] as const

const vorbis: Rates = {
  least: ranges.vorbis.leastBits,
  samples: [
    [32_000, 32_000],
    [24_000, 16_000],
    [16_000, 8000],
  ],
  options: (bits, { channels, sampleRate }) => {
    const alike = (bits * 2 * 44_100) / (channels * sampleRate)
    const above = Math.max(
      1,
      VORBIS_BITS.findIndex(([, most]) => most >= alike),
    )
    const [[low, least], [high, most]] = [VORBIS_BITS[above - 1]!, VORBIS_BITS[above]!]
    const quality = low + ((high - low) * (alike - least)) / (most - least)
    const { minimum, maximum } = ranges.vorbis.quality
    return { quality: Math.min(maximum, Math.max(minimum, quality)) }
  },
}

const dolby: Rates = { least: 32_000, constant: true, options: kilobits }

const ratesOf: Partial<Record<AudioTarget, (sound: Sound) => Rates>> = {
  aac: () => aac,
  ac3: () => dolby,
  eac3: () => dolby,
  wma: () => ({ ...aac, least: 24_000 }),
  m4a: () => aac,
  m4b: () => aac,
  m4r: () => aac,
  mp3: () => mp3,
  ogg: sound => ('codec' in sound && sound.codec === 'opus' ? opus : vorbis),
  opus: () => opus,
}

/** Fewest bits a second of a target. */
export const leastBits = (target: string, sound: Sound): number => rates(target, sound).least

/** Whether the size of a target follows from its rate, whatever is heard. */
export const followsRate = (target: string, sound: Sound): boolean => rates(target, sound).constant === true

/** The options with which a track has about so many bits a second, with fewer channels or samples where they are few. */
export function withBits(target: string, sound: Sound, track: AudioTrack, bits: number): Sound {
  const { samples = [], options } = rates(target, sound)
  const own = channelsOf(sound.channels, track.channels)
  const channels = bits < MONO_BITS ? 1 : own > 2 && bits / own < STEREO_BITS ? 2 : own
  const wanted =
    'sampleRate' in sound && sound.sampleRate !== 'auto' ? Number(sound.sampleRate) : track.sampleRate
  const most = samples.findLast(([below]) => bits / channels < below)?.[1] ?? wanted
  const sampleRate = Math.min(wanted, most)
  return {
    ...sound,
    ...(channels !== own && { channels: channels === 1 ? ('mono' as const) : ('stereo' as const) }),
    ...(sampleRate !== wanted && { sampleRate: String(sampleRate) }),
    ...options(bits, { channels, sampleRate }),
  } as Sound
}

function rates(target: string, sound: Sound): Rates {
  const found = ratesOf[target as AudioTarget]?.(sound)
  if (!found) throw new Error(`${target} has no bit rate`)
  return found
}
