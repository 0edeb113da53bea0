/** How the sound of videos is encoded. */

interface SoundCodec {
  label: string
  /** ffmpeg's name of the codec, and that of its encoder. */
  codec: string
  encoder: string
  /** Kilobits a second of each channel, unless it is lossless. */
  rate?: number
  /** Channel layouts beyond stereo that the encoder knows, the largest first. */
  layouts: readonly string[]
  sampleRates?: readonly number[]
}

const surround = ['7.1', '5.1']
const dolbyRates = [48_000, 44_100, 32_000]
const mpegRates = [...dolbyRates, 24_000, 22_050, 16_000]

/** The one table of encoders of the sound of videos. */
export const soundCodecs = {
  aac: { label: 'AAC', codec: 'aac', encoder: 'aac', rate: 80, layouts: surround },
  opus: { label: 'Opus', codec: 'opus', encoder: 'libopus', rate: 64, layouts: surround },
  mp3: { label: 'MP3', codec: 'mp3', encoder: 'libmp3lame', rate: 96, layouts: [], sampleRates: mpegRates },
  mp2: { label: 'MP2', codec: 'mp2', encoder: 'mp2', rate: 96, layouts: [], sampleRates: mpegRates },
  ac3: {
    ...{ label: 'Dolby Digital (AC-3)', codec: 'ac3', encoder: 'ac3', rate: 96 },
    ...{ layouts: ['5.1'], sampleRates: dolbyRates },
  },
  eac3: {
    ...{ label: 'Dolby Digital Plus (E-AC-3)', codec: 'eac3', encoder: 'eac3', rate: 80 },
    ...{ layouts: ['5.1'], sampleRates: dolbyRates },
  },
  vorbis: {
    ...{ label: 'Vorbis', codec: 'vorbis', encoder: 'libvorbis', rate: 64 },
    ...{ layouts: surround, sampleRates: mpegRates },
  },
  flac: { label: 'FLAC, without loss', codec: 'flac', encoder: 'flac', layouts: surround },
  pcm: { label: 'PCM, without loss', codec: 'pcm_s24le', encoder: 'pcm_s24le', layouts: surround },
  wma: {
    ...{ label: 'WMA', codec: 'wmav2', encoder: 'wmav2', rate: 64 },
    ...{ layouts: [], sampleRates: dolbyRates },
  },
} as const satisfies Record<string, SoundCodec>

export type SoundName = keyof typeof soundCodecs
