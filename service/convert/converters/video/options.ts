/** Options of videos that stay videos, and of animations made from them. */
import {
  choice,
  flag,
  group,
  integer,
  number,
  type OptionField,
  type OptionsOf,
  only,
  text,
} from '../../catalogue/options.ts'
import { channels, given, loudness, trim as soundTrim } from '../audio/options.ts'
import { editOptions } from '../images/edit-options.ts'
import { imageOptions } from '../images/options.ts'
import { boxOf } from './boxes.ts'
import { type CodecName, codecs, hasQuality, onCard } from './codecs.ts'
import { deinterlace } from './deinterlace.ts'
import { type SoundName, soundCodecs } from './sound-codecs.ts'

const trim = {
  ...soundTrim,
  description: 'Keep only a part of the video.',
  'x-note': 'It is cut at the frame; a picture that is kept unchanged begins with the key frame before it.',
}

const chosen = <Field extends OptionField>(field: Field): Field => ({
  ...field,
  'x-when': { ...field['x-when'], mode: ['manual'] },
})

const { left, top, width, height, aspect, gravity } = editOptions.crop.properties

const crop = group(
  'Crop',
  {
    mode: choice(
      'Part to keep',
      { manual: 'As chosen below', auto: 'All within black bars' },
      { description: 'Bars are looked for in the whole video.', default: 'manual' },
    ),
    ...{ left: chosen(left), top: chosen(top), width: chosen(width), height: chosen(height) },
    ...{ aspect: chosen(aspect), gravity: chosen(gravity) },
  },
  {
    description: editOptions.crop.description!,
    'x-note': 'Encodes the picture again, in an even number of pixels.',
    'x-control': 'crop',
    'x-order': 3,
  },
)

const frameRate = { minimum: 1, 'x-unit': 'fps', 'x-affects-size': true } as const

const speed = number('Speed', {
  description: '2 is twice as fast; voices keep their pitch.',
  default: 1,
  minimum: 0.25,
  maximum: 4,
  'x-affects-size': true,
})

const longestEdge = integer('Longest edge', {
  description: 'A smaller video is not enlarged.',
  minimum: 16,
  maximum: 16_384,
  'x-unit': 'px',
  'x-affects-size': true,
  'x-order': 3,
})

const quality = integer('Quality', {
  description:
    '1 is the smallest, 100 the best. If it is empty, the picture stays as it is where the format allows that; otherwise 70.',
  minimum: 1,
  maximum: 100,
  'x-affects-size': true,
  'x-words': { small: 55, balanced: 70, best: 85 },
  'x-order': 1,
})

type CodecChoice = 'auto' | 'copy' | CodecName

const codecChoice = (target: string) =>
  choice<CodecChoice>(
    'Codec',
    {
      auto: 'Unchanged where possible',
      copy: 'Keep the picture unchanged',
      ...(Object.fromEntries(boxOf(target).codecs.map(name => [name, codecs[name].label])) as Record<
        CodecName,
        string
      >),
    },
    {
      description: 'The picture is encoded again if you change its size, frame rate or quality.',
      default: 'auto',
      // After what people come for, such as a part of the video.
      'x-order': 5,
    },
  )

/** Says when a quality or size matters, if there are codecs without. */
function rated(target: string): { 'x-when'?: Record<string, string[]> } {
  const { codecs: all } = boxOf(target)
  const having = all.filter(hasQuality)
  return having.length === all.length ? {} : { 'x-when': { codec: ['auto', 'copy', ...having] } }
}

/** Whether the format has a codec in which graphics cards encode, and with which of them. */
function hardware(target: string) {
  const having = boxOf(target).codecs.filter(onCard)
  return only({
    hardware:
      having.length > 0 &&
      flag('Encode with the graphics card', {
        description: 'Sooner done, and larger for the same quality. What it cannot do is done in software.',
        default: false,
        'x-when': { codec: ['auto', ...having] },
        'x-order': 7,
      }),
  })
}

const heard: { 'x-when': Record<string, boolean[]> } = { 'x-when': { remove: [false] } }

const soundOptions = (target: string) =>
  group('Sound', {
    remove: flag('Remove the sound', { default: false }),
    tracks: text('Sound tracks', {
      ...heard,
      description: '"all", or those to keep, by number counted from 1 or language, such as "2, en".',
      default: 'all',
      maxLength: 100,
      pattern: '^[A-Za-z0-9-]+( *, *[A-Za-z0-9-]+)*$',
      'x-example': 'all, 2, en',
      'x-requires': { audioTracks: 2 },
    }),
    codec: choice<'auto' | SoundName>(
      'Codec of the sound',
      {
        auto: 'Unchanged where possible',
        ...(Object.fromEntries(
          boxOf(target).sound.codecs.map(name => [name, soundCodecs[name].label]),
        ) as Record<SoundName, string>),
      },
      { ...heard, default: 'auto' },
    ),
    bitrate: integer('Bit rate', {
      ...heard,
      description: 'Of each track. Left empty, by its channels; sound without loss has none.',
      minimum: 32,
      maximum: 512,
      'x-unit': 'kbit/s',
      'x-affects-size': true,
    }),
    channels: { ...channels, ...heard },
    delay: integer('Delay', {
      ...heard,
      description: 'Later than the picture, or with a minus earlier.',
      default: 0,
      minimum: -60_000,
      maximum: 60_000,
      'x-unit': 'ms',
      'x-per-file': true,
    }),
  })

/** Options of every video that becomes a video. */
export const videoOptions = (target: string) => ({
  crop,
  video: group('Video', {
    quality: { ...quality, ...rated(target) },
    targetSize: number('Maximum size', {
      ...rated(target),
      description: 'With less quality if needed. Takes twice as long.',
      minimum: 0.01,
      maximum: 16_000,
      'x-unit': 'MB',
      'x-presets': [10, 16, 25, 50],
      'x-order': 1,
    }),
    resolution: choice(
      'Resolution',
      {
        auto: 'As in the video',
        '2160p': '4K',
        '1440p': '1440p',
        '1080p': '1080p',
        '720p': '720p',
        '480p': '480p',
      },
      { description: 'Lines of the picture, counted on its shorter side.', default: 'auto', 'x-order': 2 },
    ),
    codec: codecChoice(target),
    ...hardware(target),
    longestEdge: { ...longestEdge, 'x-order': 6 },
    frameRate: number('Frame rate', {
      ...frameRate,
      description: 'Left empty, as in the video.',
      maximum: 240,
    }),
    speed,
    rotate: choice(
      'Rotate',
      { '0': 'Not at all', '90': '90° clockwise', '180': '180°', '270': '90° counterclockwise' },
      { default: '0' },
    ),
    deinterlace,
  }),
  audio: soundOptions(target),
  loudness,
  subtitles: group(
    'Subtitles',
    {
      mode: choice(
        'Subtitles',
        { keep: 'Keep those that the format can hold', burn: 'Draw into the picture', drop: 'Leave out' },
        { default: 'keep' },
      ),
      track: integer('Subtitle track', {
        description: 'Which of several is drawn, counted from 1. The others are left out.',
        default: 1,
        minimum: 1,
        maximum: 99,
        'x-when': { mode: ['burn'] },
        'x-per-file': true,
      }),
    },
    { 'x-requires': { subtitles: 1 } },
  ),
  trim,
  metadata: group('Metadata', {
    strip: flag('Remove tags and chapters', { default: false }),
    ...only(boxOf(target).lacks?.includes('tags') ? {} : given),
  }),
})

export type VideoOptions = OptionsOf<ReturnType<typeof videoOptions>>

/** Options of several that become one: each may have subtitles of its own. */
export const joinedOptions = (target: string) => {
  const { subtitles: _, ...options } = videoOptions(target)
  return options
}

/** Options of animations, which have no sound. */
export const animationOptions = {
  crop,
  trim,
  frameRate: number('Frame rate', {
    ...frameRate,
    description: 'Fewer frames make a smaller file.',
    default: 12,
    maximum: 50,
  }),
  longestEdge: { ...longestEdge, default: 480 },
  speed,
}

/** The same for AVIF and WebP, whose quality can be chosen. */
export const lossyAnimationOptions = {
  ...animationOptions,
  quality: { ...quality, description: 'From 1, smallest, to 100, best.', default: 70 },
}

const tiles = (title: string) =>
  integer(title, { default: 4, minimum: 1, maximum: 20, 'x-when': { mode: ['sheet'] }, 'x-order': 1 })

/** Options of pictures of a video. */
export const stillOptions = (target: string) => {
  const { resize, quality, targetSize, smartCompression } = imageOptions(target)
  return {
    frames: group(
      'Frames',
      {
        mode: choice(
          'How many',
          {
            one: 'One picture',
            every: 'A picture every few seconds',
            sheet: 'A sheet of many small ones',
          },
          { default: 'one', 'x-order': 1 },
        ),
        at: number('Time', {
          description: 'The picture that is shown then. Left empty, one from near the beginning.',
          minimum: 0,
          maximum: 86_400,
          'x-unit': 's',
          'x-control': 'time',
          'x-when': { mode: ['one'] },
          'x-order': 1,
          'x-per-file': true,
        }),
        every: number('Every', {
          default: 10,
          minimum: 0.1,
          maximum: 3600,
          'x-unit': 's',
          'x-when': { mode: ['every'] },
          'x-order': 1,
        }),
        columns: tiles('Pictures beside each other'),
        rows: tiles('Pictures below each other'),
      },
      { 'x-order': 1 },
    ),
    trim: {
      ...{ ...trim, description: 'Take pictures from a part of the video only.' },
      properties: { start: trim.properties.start, end: trim.properties.end },
    },
    crop,
    resize,
    ...only({ quality, targetSize, smartCompression }),
  }
}

/** What all of them have. */
export type CropOptions = Pick<VideoOptions, 'crop'>

export type StillOptions = OptionsOf<ReturnType<typeof stillOptions>>

export type AnimationOptions = OptionsOf<typeof animationOptions> & { quality?: number }
