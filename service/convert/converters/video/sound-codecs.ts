/** How the sound of videos is encoded. */

export interface SoundCodec {
  label: string
  /** ffmpeg's name of the codec, and that of its encoder. */
  codec: string
  encoder: string
  /** Kilobits a second of each channel: the usual ones, and between which it can have any; absent if it is lossless. */
  rates?: readonly [least: number, usual: number, most: number]
  /** Kilobits a second of all channels that are possible, if not any. */
  steps?: readonly number[]
  /** Channel layouts beyond stereo that the encoder knows, the largest first. */
  layouts: readonly string[]
  sampleRates?: readonly number[]
}

const surround = ['7.1', '5.1']
const usualRates = [48_000, 44_100, 32_000]

/** Of MPEG audio, layer 2. */
const mpegSteps = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
const stereo = { layouts: [], sampleRates: usualRates }
const dolby = { rates: [32, 80, 320], layouts: ['5.1'], sampleRates: usualRates } as const

const table = {
  aac: { label: 'AAC', codec: 'aac', encoder: 'aac', rates: [16, 80, 256], layouts: surround },
  opus: { label: 'Opus', codec: 'opus', encoder: 'libopus', rates: [16, 64, 256], layouts: surround },
  mp3: { label: 'MP3', codec: 'mp3', encoder: 'libmp3lame', rates: [32, 96, 160], ...stereo },
  mp2: { label: 'MP2', codec: 'mp2', encoder: 'mp2', rates: [32, 96, 192], steps: mpegSteps, ...stereo },
  ac3: { label: 'Dolby Digital (AC-3)', codec: 'ac3', encoder: 'ac3', ...dolby },
  eac3: { label: 'Dolby Digital Plus (E-AC-3)', codec: 'eac3', encoder: 'eac3', ...dolby },
  vorbis: {
    ...{ label: 'Vorbis', codec: 'vorbis', encoder: 'libvorbis', rates: [32, 64, 190] },
    ...{ layouts: surround, sampleRates: usualRates },
  },
  flac: { label: 'FLAC, without loss', codec: 'flac', encoder: 'flac', layouts: surround },
  pcm: { label: 'PCM, without loss', codec: 'pcm_s24le', encoder: 'pcm_s24le', layouts: surround },
  wma: { label: 'WMA', codec: 'wmav2', encoder: 'wmav2', rates: [24, 64, 160], ...stereo },
} as const satisfies Record<string, SoundCodec>

export type SoundName = keyof typeof table

/** The one table of encoders of the sound of videos. */
export const soundCodecs: Readonly<Record<SoundName, SoundCodec>> = table

/** Kilobits a second of so many channels, as close to those that are wanted as it can have; null if it is lossless. */
export function kilobitsOf({ rates, steps }: SoundCodec, channels: number, wanted?: number): number | null {
  if (!rates) return null
  const [least, usual, most] = rates.map(rate => rate * channels) as [number, number, number]
  const within = Math.min(most, Math.max(least, wanted ?? usual))
  return steps ? (steps.findLast(step => step <= within) ?? steps[0]!) : within
}
