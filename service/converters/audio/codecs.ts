/** How each target is encoded: the one table of encoders, their arguments and their limits. */
import type { Joint } from '../../engines/ffmpeg/parallel.ts'
import type { AudioTrack } from '../../engines/ffmpeg/recording.ts'

/** The options of `options.ts`, with their defaults filled in. */
export interface AudioOptions {
  audio: {
    track?: string
    encoding?: 'auto' | 'constant' | 'variable'
    codec?: 'vorbis' | 'opus'
    bitrate?: number
    quality?: number
    compression?: number
    bitDepth?: 'auto' | '16' | '24' | '32' | 'float'
    sampleRate?: string
    channels?: 'auto' | 'mono' | 'stereo'
  }
  trim: { start: number; end?: number }
  loudness: { normalize: boolean; target: number }
  metadata: { strip: boolean }
  chapters?: { split: boolean }
}

/** What a track will sound like once filters are through with it. */
export interface Shape {
  channels: number
  sampleRate: number
}

export interface Codec {
  /** Names of codecs that this container takes over without encoding them again. */
  copies: readonly string[]
  /** Arguments of the container. */
  container: readonly string[]
  /** Whether options ask for an encoding of their own, so that nothing may be copied. */
  customised(options: AudioOptions['audio']): boolean
  /** Arguments of the encoder. */
  encoder(options: AudioOptions['audio'], track: AudioTrack, shape: Shape): string[]
  /** How parts encoded at the same time are joined, where that sounds no worse. */
  joint?(options: AudioOptions['audio'], shape: Shape): Joint | null
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

const mp3: Codec = {
  copies: ['mp3'],
  container: ['-f', 'mp3', '-id3v2_version', '0'],
  customised: ({ encoding }) => encoding !== 'auto',
  encoder: ({ encoding, bitrate = 192, quality = 2 }) => [
    ...['-c:a', 'libmp3lame'],
    ...(encoding === 'constant' ? rateOf(bitrate) : ['-q:a', String(encoding === 'variable' ? quality : 2)]),
  ],
  // Frames that are joined cannot borrow bits from each other, which low constant rates need.
  joint: ({ encoding, bitrate = 192 }) => (encoding !== 'constant' || bitrate >= 160 ? 'mp3' : null),
  sampleRates: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  maxChannels: 2,
}

const aac: Codec = {
  copies: ['aac'],
  container: ['-f', 'adts'],
  customised: ({ bitrate }) => bitrate !== undefined,
  encoder: ({ bitrate }, _track, { channels }) => [
    ...['-c:a', 'aac'],
    ...rateOf(bitrate ?? (channels <= 2 ? 96 : 72) * channels),
  ],
  sampleRates: [
    7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ],
  maxChannels: 8,
  // Those with a number of their own in the format, which every decoder knows.
  layouts: { 1: 'mono', 2: 'stereo', 3: '3.0', 4: '4.0', 5: '5.0', 6: '5.1' },
}

const m4a: Codec = { ...aac, copies: ['aac', 'alac'], container: ['-f', 'ipod', '-movflags', '+faststart'] }

/** Kilobits a second. */
const opusRate = ({ bitrate }: AudioOptions['audio'], { channels }: Shape): number =>
  bitrate ?? { 1: 72, 2: 128 }[channels] ?? 48 * channels

const opus: Codec = {
  copies: ['opus'],
  container: ['-f', 'opus'],
  customised: ({ bitrate }) => bitrate !== undefined,
  encoder: (options, _track, shape) => ['-c:a', 'libopus', ...rateOf(opusRate(options, shape))],
  // Below about 54 kbit/s speech is encoded by its predecessor's sound, and would take a while to recover at a joint.
  joint: (options, shape) => (shape.channels <= 2 && opusRate(options, shape) >= 64 ? 'opus' : null),
  sampleRates: [48_000],
  maxChannels: 8,
  // ffmpeg's libopus encoder confuses the channels of 5.0 and 6.1; a silent or doubled channel avoids both.
  layouts: { ...xiphLayouts, 5: '5.1', 7: '7.1' },
}

const vorbis: Codec = {
  copies: ['vorbis'],
  container: ['-f', 'ogg'],
  customised: ({ quality }) => quality !== undefined,
  encoder: ({ quality = 5 }) => ['-c:a', 'libvorbis', '-q:a', String(quality)],
  sampleRates: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, 192_000],
  maxChannels: 8,
  layouts: xiphLayouts,
}

/** Codecs that give back exactly the samples that were put in. */
const lossless = /^(pcm_|flac$|alac$|wavpack$|tta$|ape$|wmalossless$|mlp$|truehd$|mp4als$|als$)/

/** Bits of a sample worth keeping: what a lossy codec decodes to floating point is good for 16. */
function depthOf({ codec, bits, float }: AudioTrack): number | 'float' | 'double' {
  if (!lossless.test(codec)) return 16
  if (float) return bits > 32 ? 'double' : 'float'
  return bits
}

const flac: Codec = {
  copies: ['flac'],
  container: ['-f', 'flac'],
  customised: () => true,
  encoder: ({ compression = 5, bitDepth = 'auto' }, track) => {
    const depth = bitDepth === 'auto' ? depthOf(track) : Number(bitDepth)
    const deep = typeof depth !== 'number' || depth > 16
    return [
      ...['-c:a', 'flac', '-compression_level', String(compression)],
      ...(deep ? ['-sample_fmt', 's32', '-bits_per_raw_sample', '24'] : ['-sample_fmt', 's16']),
    ]
  },
  maxChannels: 8,
}

const wav: Codec = {
  copies: [],
  container: ['-f', 'wav', '-rf64', 'auto'],
  customised: () => true,
  encoder: ({ bitDepth = 'auto' }, track) => {
    const depth = bitDepth === 'auto' ? depthOf(track) : bitDepth === 'float' ? bitDepth : Number(bitDepth)
    return ['-c:a', pcm(depth)]
  },
  maxChannels: 64,
}

function pcm(depth: number | 'float' | 'double'): string {
  if (depth === 'float') return 'pcm_f32le'
  if (depth === 'double') return 'pcm_f64le'
  if (depth <= 8) return 'pcm_u8'
  return depth <= 16 ? 'pcm_s16le' : depth <= 24 ? 'pcm_s24le' : 'pcm_s32le'
}

/** Bits the samples lose on the way, so that they have to be dithered: true for 24 bits into 16. */
export function losesDepth(track: AudioTrack, encoder: readonly string[]): boolean {
  const depth = depthOf(track)
  const shallow = encoder.includes('pcm_s16le') || encoder.includes('s16')
  return shallow && (typeof depth !== 'number' || depth > 16)
}

const codecs: Record<string, Codec> = { aac, flac, m4a, mp3, ogg: vorbis, opus, wav }

export function codecOf(target: string, { codec }: AudioOptions['audio']): Codec {
  if (target === 'ogg' && codec === 'opus') return { ...opus, container: ['-f', 'ogg'] }
  const found = codecs[target]
  if (!found) throw new Error(`no audio codec for ${target}`)
  return found
}
