import { choice, flag, group, integer, number, type OptionsOf, only, text } from '../../catalogue/options.ts'
import * as ranges from './ranges.ts'

const word = (title: string) => text(title, { maxLength: 500 })

/** Tags that are given anew, whatever the source has under their names. */
export const given = {
  title: { ...word('Title'), 'x-per-file': true as const },
  artist: word('Artist'),
  album: word('Album'),
  genre: word('Genre'),
  date: text('Date', {
    description: 'A year or a day, such as 2026 or 2026-05-03.',
    pattern: '^[0-9]{4}(-[01][0-9](-[0-3][0-9])?)?$',
    maxLength: 10,
    'x-example': '2026',
  }),
  comment: word('Comment'),
}

/** Bare AAC and Dolby Digital cannot hold tags; programs write none into CAF. */
export const tagless: ReadonlySet<string> = new Set(['aac', 'ac3', 'caf', 'eac3'])

const metadata = (target: string) =>
  group('Metadata', {
    strip: flag('Remove tags, cover and chapters', { default: false }),
    ...only(tagless.has(target) ? {} : given),
  })

const stretches = (title: string) =>
  text(title, {
    description: 'Several, each from one time to another.',
    maxLength: 2000,
    pattern: '^T-T?( *, *T-T?)*$'.replaceAll('T', '([0-9]{1,5}:){0,2}[0-9]{1,5}([.][0-9]{1,3})?'),
    'x-example': '0:10-0:20, 1:05-',
  })

export const trim = group(
  'Trim',
  {
    start: number('From', {
      default: 0,
      minimum: 0,
      maximum: 86_400,
      'x-unit': 's',
      'x-control': 'time',
    }),
    end: number('To', {
      description: 'The end of the recording when left empty.',
      minimum: 0,
      maximum: 86_400,
      'x-unit': 's',
      'x-control': 'time',
    }),
    parts: stretches('Parts to keep'),
    cuts: stretches('Parts to cut out'),
  },
  {
    description: 'Keep only a part of the recording.',
    'x-note':
      'It is cut at the sample; AAC and ALAC that become M4A are cut at a packet, and not encoded again.',
    'x-control': 'trim',
    'x-order': 4,
    'x-per-file': true,
  },
)

export const loudness = group(
  'Loudness',
  {
    normalize: flag('Even out the loudness', {
      description: 'Brings the whole recording to one loudness.',
      'x-note': 'Measured as in EBU R128, with peaks below −1 dBTP.',
      default: false,
      'x-implied': { target: true },
    }),
    target: number('Loudness', {
      description: '−14 is usual for music online, −16 for podcasts, −23 for broadcast.',
      default: -16,
      minimum: -36,
      maximum: -8,
      'x-unit': 'LUFS',
      'x-control': 'slider',
      'x-when': { normalize: [true] },
    }),
  },
  { description: 'Encodes again, even where the recording could be copied.', 'x-order': 5 },
)

const silence = group(
  'Silence',
  {
    cut: flag('Cut out silence', {
      description: 'Long pauses become short, at the start and the end, too.',
      default: false,
      'x-implied': { threshold: true, shortest: true, padding: true },
    }),
    threshold: number('Quieter than', {
      default: -50,
      minimum: -90,
      maximum: -20,
      'x-unit': 'dB',
      'x-when': { cut: [true] },
    }),
    shortest: number('Shortest pause', {
      default: 1,
      minimum: 0.1,
      maximum: 60,
      'x-unit': 's',
      'x-when': { cut: [true] },
    }),
    padding: number('What stays of a pause', {
      default: 0.3,
      minimum: 0,
      maximum: 10,
      'x-unit': 's',
      'x-when': { cut: [true] },
    }),
  },
  { 'x-order': 5 },
)

export const channels = choice(
  'Channels',
  {
    ...{ auto: 'As in the recording', mono: 'Mono', stereo: 'Stereo' },
    ...{ left: 'Mono of the left side', right: 'Mono of the right side' },
  },
  { default: 'auto' },
)

const rates = (...hertz: number[]) =>
  choice<string>(
    'Sample rate',
    {
      auto: 'As in the recording',
      ...Object.fromEntries(hertz.map(rate => [String(rate), `${rate / 1000} kHz`])),
    },
    { default: 'auto' },
  )

const bitrate = (
  range: { minimum: number; maximum: number },
  usual: string,
  words: { small: number; balanced: number; best: number },
) =>
  integer('Bit rate', {
    description: 'Higher sounds better and is larger.',
    'x-note': `Left empty, ${usual}; a recording that is in this codec already is copied unchanged.`,
    ...range,
    'x-unit': 'kbit/s',
    'x-words': words,
    'x-order': 1,
  })

const rateControl = choice(
  'Encoding',
  {
    auto: 'Automatic (high quality)',
    variable: 'Variable bit rate, by quality',
    constant: 'Constant bit rate',
  },
  {
    description: 'Automatic copies a recording that is in this codec already.',
    default: 'auto',
    'x-order': 6,
  },
)

const targetSize = number('Maximum size', {
  description: 'With less quality if needed. Takes twice as long.',
  minimum: 0.01,
  maximum: 16_000,
  'x-unit': 'MB',
  'x-presets': [1, 5, 10, 25],
  'x-order': 1,
})

const depth = <Depth extends string>(labels: Record<Depth, string>) =>
  choice<Depth | 'auto'>(
    'Bit depth',
    { auto: 'As in the recording', ...labels },
    { default: 'auto', 'x-order': 2 },
  )

const opusBitrate = bitrate(ranges.opus.bitrate, '128 kbit/s for stereo', {
  small: 64,
  balanced: 128,
  best: 192,
})

const aac = {
  bitrate: bitrate(ranges.aac.bitrate, '96 kbit/s for each channel', { small: 96, balanced: 192, best: 256 }),
  targetSize,
  sampleRate: rates(16_000, 22_050, 32_000, 44_100, 48_000, 96_000),
}

const samples = {
  bitDepth: depth({ '16': '16 bit', '24': '24 bit', '32': '32 bit', float: '32 bit floating point' }),
  sampleRate: rates(8000, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000),
}

const dolby = {
  bitrate: bitrate(ranges.dolby.bitrate, '96 kbit/s for each channel', {
    small: 128,
    balanced: 192,
    best: 448,
  }),
  targetSize,
  sampleRate: rates(32_000, 44_100, 48_000),
}

/** How the audio is written, for each target. */
const targetOptions = {
  mp3: {
    bitrate: integer('Bit rate', {
      description: 'Higher sounds better and is larger.',
      'x-note':
        'Left empty, it varies around 190 kbit/s, or is 192 if constant. Given alone, it asks for a constant bit rate.',
      minimum: ranges.mp3.bitrates[0],
      maximum: ranges.mp3.bitrates.at(-1)!,
      'x-unit': 'kbit/s',
      'x-words': { small: 128, balanced: 192, best: 320 },
      'x-order': 1,
      'x-when': { encoding: ['auto', 'constant'] },
    }),
    quality: integer('Quality', {
      description:
        '0 sounds best and is largest, 9 is smallest. Left empty, 2, which hardly anybody tells from the original.',
      ...ranges.mp3.quality,
      'x-words': { small: 6, balanced: 2, best: 0 },
      'x-order': 1,
      'x-when': { encoding: ['variable'] },
    }),
    targetSize,
    encoding: rateControl,
    sampleRate: rates(16_000, 22_050, 32_000, 44_100, 48_000),
  },
  aac,
  m4a: aac,
  opus: { bitrate: opusBitrate, targetSize },
  ogg: {
    codec: choice(
      'Codec',
      { vorbis: 'Vorbis, plays everywhere', opus: 'Opus, smaller; an Opus recording is copied unchanged' },
      { default: 'vorbis', 'x-order': 1 },
    ),
    quality: number('Quality', {
      description:
        'Left empty, 5 (about 160 kbit/s); 10 is the best. Vorbis already there is copied unchanged.',
      ...ranges.vorbis.quality,
      'x-words': { small: 3, balanced: 5, best: 8 },
      'x-order': 1,
      'x-when': { codec: ['vorbis'] },
    }),
    bitrate: {
      ...opusBitrate,
      'x-when': { codec: ['opus'] },
    },
    targetSize,
    sampleRate: { ...rates(16_000, 22_050, 32_000, 44_100, 48_000), 'x-when': { codec: ['vorbis'] } },
  },
  flac: {
    compression: integer('Compression', {
      description: 'The sound is the same at every level; higher ones are slower and a little smaller.',
      default: 5,
      ...ranges.flac.compression,
      'x-control': 'slider',
      'x-affects-size': true,
      'x-order': 1,
    }),
    bitDepth: depth({ '16': '16 bit', '24': '24 bit' }),
    sampleRate: rates(44_100, 48_000, 88_200, 96_000, 192_000),
  },
  wav: samples,
  aiff: {
    bitDepth: depth({ '16': '16 bit', '24': '24 bit', '32': '32 bit' }),
    sampleRate: rates(8000, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000),
  },
  m4b: aac,
  m4r: aac,
  ac3: dolby,
  eac3: dolby,
  wma: {
    bitrate: bitrate(ranges.wma.bitrate, '64 kbit/s for each channel', {
      small: 64,
      balanced: 128,
      best: 192,
    }),
    targetSize,
    sampleRate: rates(16_000, 22_050, 32_000, 44_100, 48_000),
  },
  caf: samples,
}

/** Selects one of several audio tracks. */
export const track = text('Audio track', {
  description: '"default", a number counted from 1, or a language such as "en".',
  default: 'default',
  maxLength: 35,
  pattern: '^[A-Za-z0-9-]+$',
  'x-example': 'default, 2, en',
  'x-order': 3,
  'x-requires': { audioTracks: 2 },
})

/** Formats a media file can become. */
export type AudioTarget = keyof typeof targetOptions

export const audioTargets = Object.keys(targetOptions) as AudioTarget[]

export const isAudioTarget = (target: string): target is AudioTarget => Object.hasOwn(targetOptions, target)

/** Options of every conversion between media files; an audiobook can also become a file for each chapter. */
const optionsOf =
  (traits: { audiobook?: boolean; video?: boolean } = {}) =>
  (target: string) => {
    if (!isAudioTarget(target)) throw new Error(`no recording becomes ${target}`)
    return {
      // Selects one of a video's audio tracks.
      audio: group('Sound', {
        ...only({ track: traits.video && track }),
        ...targetOptions[target],
        channels,
      }),
      trim,
      loudness,
      silence,
      metadata: metadata(target),
      ...only({
        chapters:
          traits.audiobook &&
          group('Chapters', {
            split: flag('A file for each chapter', {
              default: false,
              'x-order': 0,
              'x-requires': { chapters: 2 },
            }),
          }),
      }),
    }
  }

export const audioOptions = optionsOf()
export const audiobookOptions = optionsOf({ audiobook: true })
export const videoOptions = optionsOf({ video: true })

export type AudioOptions = OptionsOf<ReturnType<typeof audioOptions>>

/** Options for writing audio in one of the targets. */
export type SoundOptions<Target extends AudioTarget> = OptionsOf<(typeof targetOptions)[Target]>
