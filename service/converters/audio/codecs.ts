/** How each target is encoded: the one table of encoders, their arguments and their limits. */
import type { JoinMethod } from '../../engines/ffmpeg/parallel.ts'
import { type AudioTrack, isLossless } from '../../engines/ffmpeg/recording.ts'
import { type AudioOptions, type AudioTarget, isAudioTarget, type SoundOptions } from './options.ts'

/** What a track will sound like once filters are through with it. */
export interface Shape {
  channels: number
  sampleRate: number
}

/** How one recording's sound is written, by the options it was asked for with. */
export interface Codec {
  /** Names of codecs that this container takes over without encoding them again. */
  copies: readonly string[]
  /** Whether encoding changes the sound. */
  lossy: boolean
  /**
   * Whether a part can be copied too: its packets are short and need nothing before them, and the box tells where to begin.
   * Frames of MP3 borrow from those before, and players find the start of Opus by its pages.
   */
  cutsCopies?: boolean
  /** Arguments of the container. */
  container: readonly string[]
  /** Whether options ask for an encoding of their own, so that nothing may be copied. */
  customised: boolean
  /** Arguments of the encoder. */
  encoder(track: AudioTrack, shape: Shape): string[]
  /** How parts encoded at the same time are joined, where that sounds no worse. */
  join?(shape: Shape): JoinMethod | null
  /** Sample rates it can hold, ascending; any when absent. */
  sampleRates?: readonly number[]
  maxChannels: number
  /** Channel layouts it can hold, by number of channels, where the encoder does not know more. */
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

/** Quality of MP3 by default: about 190 kbit/s, where few hear a difference. */
const MP3_QUALITY = 2

/** Constant bit rate of MP3 by default, in kbit/s. */
const MP3_BITRATE = 192

const mp3 = ({ encoding, bitrate, quality }: SoundOptions<'mp3'>): Codec => {
  // A bit rate or a quality asks for the encoding it belongs to.
  const isConstant = encoding === 'constant' || (encoding === 'auto' && bitrate !== undefined)
  const kilobits = bitrate ?? MP3_BITRATE
  return {
    copies: ['mp3'],
    lossy: true,
    container: ['-f', 'mp3', '-id3v2_version', '0'],
    customised: encoding !== 'auto' || bitrate !== undefined || quality !== undefined,
    encoder: () => [
      ...['-c:a', 'libmp3lame'],
      ...(isConstant ? rateOf(kilobits) : ['-q:a', String(quality ?? MP3_QUALITY)]),
    ],
    // Frames that are joined cannot borrow bits from each other, which low constant rates need.
    join: () => (!isConstant || kilobits >= 160 ? 'mp3' : null),
    sampleRates: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
    maxChannels: 2,
  }
}

const aac = ({ bitrate }: SoundOptions<'aac'>): Codec => ({
  copies: ['aac'],
  lossy: true,
  container: ['-f', 'adts'],
  customised: bitrate !== undefined,
  encoder: (_track, { channels }) => [
    ...['-c:a', 'aac'],
    ...rateOf(bitrate ?? (channels <= 2 ? 96 : 72) * channels),
  ],
  sampleRates: [
    7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ],
  maxChannels: 8,
  // Those with a number of their own in the format, which every decoder knows.
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
  const rate = ({ channels }: Shape): number => bitrate ?? { 1: 72, 2: 128 }[channels] ?? 48 * channels
  return {
    copies: ['opus'],
    lossy: true,
    container: ['-f', 'opus'],
    customised: bitrate !== undefined,
    encoder: (_track, shape) => ['-c:a', 'libopus', ...rateOf(rate(shape))],
    // Below about 54 kbit/s speech is encoded by its predecessor's sound, and would take a while to recover at a join.
    join: shape => (shape.channels <= 2 && rate(shape) >= 64 ? 'opus' : null),
    sampleRates: [48_000],
    maxChannels: 8,
    // ffmpeg's libopus encoder confuses the channels of 5.0 and 6.1; a silent or doubled channel avoids both.
    layouts: { ...xiphLayouts, 5: '5.1', 7: '7.1' },
  }
}

/** Quality of automatic Vorbis: about 160 kbit/s. */
const VORBIS_QUALITY = 5

const vorbis = ({ quality }: SoundOptions<'ogg'>): Codec => ({
  copies: ['vorbis'],
  lossy: true,
  container: ['-f', 'ogg'],
  customised: quality !== undefined,
  encoder: () => ['-c:a', 'libvorbis', '-q:a', String(quality ?? VORBIS_QUALITY)],
  sampleRates: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, 192_000],
  maxChannels: 8,
  layouts: xiphLayouts,
})

const ogg = (options: SoundOptions<'ogg'>): Codec =>
  options.codec === 'opus' ? { ...opus(options), container: ['-f', 'ogg'] } : vorbis(options)

/** Bits of a sample worth keeping: what a lossy codec decodes to floating point is good for 16. */
function depthOf({ codec, bits, float }: AudioTrack): number | 'float' | 'double' {
  if (!isLossless(codec)) return 16
  if (float) return bits > 32 ? 'double' : 'float'
  return bits
}

const flac = ({ compression, bitDepth }: SoundOptions<'flac'>): Codec => ({
  copies: ['flac'],
  lossy: false,
  container: ['-f', 'flac'],
  customised: true,
  encoder: track => {
    const depth = bitDepth === 'auto' ? depthOf(track) : Number(bitDepth)
    const deep = typeof depth !== 'number' || depth > 16
    return [
      ...['-c:a', 'flac', '-compression_level', String(compression)],
      ...(deep ? ['-sample_fmt', 's32', '-bits_per_raw_sample', '24'] : ['-sample_fmt', 's16']),
    ]
  },
  maxChannels: 8,
})

const wav = ({ bitDepth }: SoundOptions<'wav'>): Codec => ({
  copies: [],
  lossy: false,
  container: ['-f', 'wav', '-rf64', 'auto'],
  customised: true,
  encoder: track => {
    const depth = bitDepth === 'auto' ? depthOf(track) : bitDepth === 'float' ? bitDepth : Number(bitDepth)
    return ['-c:a', pcm(depth)]
  },
  maxChannels: 64,
})

function pcm(depth: number | 'float' | 'double'): string {
  if (depth === 'float') return 'pcm_f32le'
  if (depth === 'double') return 'pcm_f64le'
  if (depth <= 8) return 'pcm_u8'
  return depth <= 16 ? 'pcm_s16le' : depth <= 24 ? 'pcm_s24le' : 'pcm_s32le'
}

/** Bits of whole numbers that a target leaves by itself; null when none are lost. */
export function bitsKept({ codec, bits, float }: AudioTrack, encoder: readonly string[]): number | null {
  const isCut = isLossless(codec) && !float && bits > 24 && encoder.includes('-bits_per_raw_sample')
  return isCut ? 24 : null
}

/** Whether samples beyond full scale, which floating point can hold, are cut off. */
export const clips = ({ codec, float }: AudioTrack, encoder: readonly string[]): boolean =>
  isLossless(codec) && float && !encoder.some(argument => /^pcm_f/.test(argument))

/** Bits the samples lose on the way, so that they have to be dithered: true for 24 bits into 16. */
export function losesDepth(track: AudioTrack, encoder: readonly string[]): boolean {
  const depth = depthOf(track)
  const shallow = encoder.includes('pcm_s16le') || encoder.includes('s16')
  return shallow && (typeof depth !== 'number' || depth > 16)
}

const codecs: { [Target in AudioTarget]: (options: SoundOptions<Target>) => Codec } = {
  aac,
  flac,
  m4a,
  mp3,
  ogg,
  opus,
  wav,
}

const codecFor = <Target extends AudioTarget>(target: Target, options: SoundOptions<Target>): Codec =>
  codecs[target](options)

export function codecOf(target: string, options: AudioOptions['audio']): Codec {
  if (!isAudioTarget(target)) throw new Error(`no audio codec for ${target}`)
  return codecFor(target, options)
}
