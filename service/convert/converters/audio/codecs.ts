/** How each target is encoded: the one table of encoders, their arguments and their limits. */
import type { JoinMethod } from '../../engines/media/ffmpeg/parallel.ts'
import { type AudioTrack, isLossless } from '../../engines/media/ffmpeg/recording.ts'
import { type AudioOptions, type AudioTarget, isAudioTarget, type SoundOptions } from './options.ts'
import * as ranges from './ranges.ts'

/** The properties of a track after filtering. */
export interface Shape {
  channels: number
  sampleRate: number
}

/** How a media file's audio is written with the given options. */
export interface Codec {
  /** Names of codecs that this container can hold without re-encoding. */
  copies: readonly string[]
  /** Whether encoding is lossy. */
  lossy: boolean
  /**
   * Whether a part can be copied too: its packets are short and independent of earlier ones, and the container says where
   * to begin. MP3 frames depend on previous ones, and players find the start of Opus by its pages.
   */
  cutsCopies?: boolean
  /** Arguments of the container. */
  container: readonly string[]
  /** Whether the container says of each page how many samples there have been, so that times must not be rounded. */
  countsSamples?: boolean
  /** Arguments of the encoder. */
  encoder(track: AudioTrack, shape: Shape): string[]
  /** How parts encoded at the same time are joined, if that sounds no worse. */
  join?(shape: Shape): JoinMethod | null
  /** Supported sample rates, ascending; any if absent. */
  sampleRates?: readonly number[]
  maxChannels: number
  /** Supported channel layouts by number of channels, if the encoder knows no others. */
  layouts?: Readonly<Record<number, string>>
}

/** Layouts of Vorbis and, in its channel mapping family 1, Opus (RFC 7845, section 5.1.1.2). */
const xiphLayouts = {
  1: 'mono',
  2: 'stereo',
  3: '3.0',
  4: 'quad',
  5: '5.0',
  6: '5.1',
  7: '6.1',
  8: '7.1',
}

const rateOf = (kilobits: number) => ['-b:a', `${kilobits}k`]

/** Default quality of MP3: about 190 kbit/s, where few hear a difference. */
const MP3_QUALITY = 2

/** Default constant bit rate of MP3, in kbit/s. */
const MP3_BITRATE = 192

const mp3 = ({ encoding, bitrate, quality }: SoundOptions<'mp3'>): Codec => {
  // A bit rate or a quality implies the matching encoding mode.
  const isConstant = encoding === 'constant' || (encoding === 'auto' && bitrate !== undefined)
  const kilobits = bitrate ?? MP3_BITRATE
  return {
    copies: ['mp3'],
    lossy: true,
    container: ['-f', 'mp3', '-id3v2_version', '0'],
    encoder: () => [
      ...['-c:a', 'libmp3lame'],
      ...(isConstant ? rateOf(kilobits) : ['-q:a', String(quality ?? MP3_QUALITY)]),
    ],
    // Joined frames cannot share bits, which low constant rates need.
    join: () => (!isConstant || kilobits >= 160 ? 'mp3' : null),
    sampleRates: ranges.mp3.sampleRates,
    maxChannels: 2,
  }
}

const aac = ({ bitrate }: SoundOptions<'aac'>): Codec => ({
  copies: ['aac'],
  lossy: true,
  container: ['-f', 'adts'],
  encoder: (_track, { channels }) => [
    ...['-c:a', 'aac'],
    ...rateOf(bitrate ?? (channels <= 2 ? 96 : 72) * channels),
  ],
  sampleRates: ranges.aac.sampleRates,
  maxChannels: 8,
  // Layouts with their own number in the format, which every decoder knows.
  layouts: { 1: 'mono', 2: 'stereo', 3: '3.0', 4: '4.0', 5: '5.0', 6: '5.1' },
})

const m4a = (options: SoundOptions<'m4a'>): Codec => ({
  ...aac(options),
  copies: ['aac', 'alac'],
  cutsCopies: true,
  container: ['-f', 'ipod', '-movflags', '+faststart'],
})

const opus = ({ bitrate }: SoundOptions<'opus'>): Codec => {
  /** Kilobits a second. */
  const rate = ({ channels }: Shape): number =>
    Math.min(bitrate ?? { 1: 72, 2: 128 }[channels] ?? 48 * channels, ranges.opus.channelBitrate * channels)
  return {
    copies: ['opus'],
    lossy: true,
    container: ['-f', 'opus'],
    countsSamples: true,
    encoder: (_track, shape) => ['-c:a', 'libopus', ...rateOf(rate(shape))],
    // Below about 54 kbit/s speech is encoded with prediction from previous audio, which would take a while to recover
    // at a join.
    join: shape => (shape.channels <= 2 && rate(shape) >= 64 ? 'opus' : null),
    sampleRates: ranges.opus.sampleRates,
    maxChannels: 8,
    // ffmpeg's libopus encoder confuses the channels of 5.0 and 6.1; an additional silent or doubled channel avoids
    // both.
    layouts: { ...xiphLayouts, 5: '5.1', 7: '7.1' },
  }
}

/** Quality of automatic Vorbis: about 160 kbit/s. */
const VORBIS_QUALITY = 5

const vorbis = ({ quality }: SoundOptions<'ogg'>): Codec => ({
  copies: ['vorbis'],
  lossy: true,
  container: ['-f', 'ogg'],
  countsSamples: true,
  encoder: () => ['-c:a', 'libvorbis', '-q:a', String(quality ?? VORBIS_QUALITY)],
  sampleRates: ranges.vorbis.sampleRates,
  maxChannels: 8,
  layouts: xiphLayouts,
})

const ogg = (options: SoundOptions<'ogg'>): Codec =>
  options.codec === 'opus' ? { ...opus(options), container: ['-f', 'ogg'] } : vorbis(options)

/** Bits of a sample worth keeping: 16 are enough for what a lossy codec decodes to floating point. */
function depthOf({ codec, bits, float }: AudioTrack): number | 'float' | 'double' {
  if (!isLossless(codec)) return 16
  if (float) return bits > 32 ? 'double' : 'float'
  return bits
}

const flac = ({ compression, bitDepth }: SoundOptions<'flac'>): Codec => ({
  copies: [],
  lossy: false,
  container: ['-f', 'flac'],
  encoder: track => {
    const depth = bitDepth === 'auto' ? depthOf(track) : Number(bitDepth)
    const highBitDepth = typeof depth !== 'number' || depth > 16
    return [
      ...['-c:a', 'flac', '-compression_level', String(compression)],
      ...(highBitDepth ? ['-sample_fmt', 's32', '-bits_per_raw_sample', '24'] : ['-sample_fmt', 's16']),
    ]
  },
  maxChannels: 8,
})

const wav = ({ bitDepth }: SoundOptions<'wav'>): Codec => ({
  copies: [],
  lossy: false,
  container: ['-f', 'wav', '-rf64', 'auto'],
  encoder: track => {
    const depth = bitDepth === 'auto' ? depthOf(track) : bitDepth === 'float' ? bitDepth : Number(bitDepth)
    return ['-c:a', pcm(depth)]
  },
  maxChannels: 64,
})

/** Samples of AIFF are whole numbers, which all programs read, with the highest byte first. */
const aiff = ({ bitDepth }: SoundOptions<'aiff'>): Codec => ({
  copies: [],
  lossy: false,
  container: ['-f', 'aiff'],
  encoder: track => {
    const depth = bitDepth === 'auto' ? depthOf(track) : Number(bitDepth)
    const bits = typeof depth !== 'number' ? 24 : depth <= 16 ? 16 : depth <= 24 ? 24 : 32
    return ['-c:a', `pcm_s${bits}be`]
  },
  maxChannels: 64,
})

const dolby =
  (name: 'ac3' | 'eac3') =>
  ({ bitrate }: SoundOptions<'ac3'>): Codec => ({
    copies: [name],
    lossy: true,
    container: ['-f', name],
    encoder: (_track, { channels }) => {
      // Discs hold no more than 448.
      const wanted = bitrate ?? Math.min(448, 96 * channels)
      return ['-c:a', name, ...rateOf(Math.max(wanted, ranges.dolby.channelBitrate * channels))]
    },
    sampleRates: ranges.dolby.sampleRates,
    maxChannels: 6,
    layouts: { 1: 'mono', 2: 'stereo', 3: '3.0', 4: 'quad', 5: '5.0', 6: '5.1' },
  })

const wma = ({ bitrate }: SoundOptions<'wma'>): Codec => ({
  copies: [],
  lossy: true,
  container: ['-f', 'asf'],
  encoder: (_track, { channels }) => ['-c:a', 'wmav2', ...rateOf(bitrate ?? 64 * channels)],
  sampleRates: ranges.wma.sampleRates,
  maxChannels: 2,
})

/** Core Audio Format has 64-bit sizes, and no samples of 8 bits that are counted from 0. */
const caf = (options: SoundOptions<'caf'>): Codec => ({
  ...wav(options),
  container: ['-f', 'caf'],
  encoder: (track, shape) => wav(options).encoder({ ...track, bits: Math.max(16, track.bits) }, shape),
})

function pcm(depth: number | 'float' | 'double'): string {
  if (depth === 'float') return 'pcm_f32le'
  if (depth === 'double') return 'pcm_f64le'
  if (depth <= 8) return 'pcm_u8'
  return depth <= 16 ? 'pcm_s16le' : depth <= 24 ? 'pcm_s24le' : 'pcm_s32le'
}

/** Integer bits that a target keeps without asking; null if none are lost. */
export function bitsKept({ codec, bits, float }: AudioTrack, encoder: readonly string[]): number | null {
  const isCut = isLossless(codec) && !float && bits > 24 && encoder.includes('-bits_per_raw_sample')
  return isCut ? 24 : null
}

/** Whether samples beyond full scale, possible in floating point, are clipped. */
export const clips = ({ codec, float }: AudioTrack, encoder: readonly string[]): boolean =>
  isLossless(codec) && float && !encoder.some(argument => /^pcm_f/.test(argument))

/** Whether the samples lose bits and must be dithered: true for 24 bits to 16. */
export function losesDepth(track: AudioTrack, encoder: readonly string[]): boolean {
  const depth = depthOf(track)
  const shallow = encoder.some(argument => /^pcm_s16(le|be)$/.test(argument)) || encoder.includes('s16')
  return shallow && (typeof depth !== 'number' || depth > 16)
}

const codecs: { [Target in AudioTarget]: (options: SoundOptions<Target>) => Codec } = {
  aac,
  ac3: dolby('ac3'),
  aiff,
  caf,
  eac3: dolby('eac3'),
  flac,
  m4a,
  m4b: m4a,
  m4r: m4a,
  mp3,
  ogg,
  opus,
  wav,
  wma,
}

const codecFor = <Target extends AudioTarget>(target: Target, options: SoundOptions<Target>): Codec =>
  codecs[target](options)

export function codecOf(target: string, options: AudioOptions['audio']): Codec {
  if (!isAudioTarget(target)) throw new Error(`no audio codec for ${target}`)
  return codecFor(target, options)
}
