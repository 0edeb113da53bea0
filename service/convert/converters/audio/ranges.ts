/** What each encoder takes, and so what options may offer and a size may ask for. */

export const mp3 = {
  /** The constant rates of MPEG audio in kbit/s, from 32 kHz on and below. */
  bitrates: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  lowBitrates: [8, 16, 24, 32, 40, 48, 56, 64],
  /** Of variable rates; the lowest is the best. */
  quality: { minimum: 0, maximum: 9 },
  sampleRates: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  /** Fewest bits a second, with few samples. */
  leastBits: 8000,
} as const

export const aac = {
  /** In kbit/s. */
  bitrate: { minimum: 32, maximum: 512 },
  sampleRates: [
    7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ],
  leastBits: 8000,
} as const

export const opus = {
  /** In kbit/s. */
  bitrate: { minimum: 8, maximum: 510 },
  /** Highest bit rate of each channel in kbit/s; the encoder refuses more. */
  channelBitrate: 256,
  sampleRates: [48_000],
  leastBits: 6000,
} as const

export const vorbis = {
  quality: { minimum: -1, maximum: 10 },
  sampleRates: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, 192_000],
  leastBits: 6000,
} as const

export const dolby = {
  /** In kbit/s, of which the encoder takes the next possible ones (ATSC A/52, table 5.18). */
  bitrate: { minimum: 32, maximum: 640 },
  /** Fewest kbit/s of each channel; the encoder distorts with less. */
  channelBitrate: 32,
  sampleRates: [32_000, 44_100, 48_000],
} as const

export const wma = {
  /** In kbit/s. */
  bitrate: { minimum: 24, maximum: 320 },
  sampleRates: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000],
} as const

export const flac = { compression: { minimum: 0, maximum: 12 } } as const
