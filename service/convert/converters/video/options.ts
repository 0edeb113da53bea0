/** Options of videos that stay videos, and of animations made from them. */
import { choice, flag, group, integer, number, type OptionsOf } from '../../catalogue/options.ts'
import { trim as soundTrim } from '../audio/options.ts'
import { boxOf, type CodecName, codecs } from './codecs.ts'

const trim = {
  ...soundTrim,
  description:
    'Keep only a part of the video. It is cut at the frame; a picture that is kept unchanged begins with the key frame before it.',
}

const frameRate = (usual: string, extra: { default?: number; maximum: number }) => ({
  ...number('Frame rate', {
    description: usual,
    minimum: 1,
    'x-unit': 'fps',
    maximum: extra.maximum,
    'x-affects-size': true,
  }),
  ...(extra.default === undefined ? {} : { default: extra.default }),
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
    'From 1, smallest, to 100, best. Left empty, 70; a picture that the format can hold is then kept unchanged.',
  minimum: 1,
  maximum: 100,
  'x-affects-size': true,
  'x-order': 2,
})

type CodecChoice = 'auto' | 'copy' | CodecName

const codecChoice = (target: string) =>
  choice<CodecChoice>(
    'Codec',
    {
      auto: 'Automatic: unchanged where possible',
      copy: 'Keep the picture unchanged',
      ...(Object.fromEntries(boxOf(target).codecs.map(name => [name, codecs[name].label])) as Record<
        CodecName,
        string
      >),
    },
    {
      description: 'The picture is encoded again if you change its size, frame rate or quality.',
      default: 'auto',
      'x-order': 1,
    },
  )

/** Options of every video that becomes a video. */
export const videoOptions = (target: string) => ({
  video: group('Video', {
    codec: codecChoice(target),
    quality,
    targetSize: number('Size of the file', {
      description: 'The file becomes at most this large. Takes twice as long.',
      minimum: 0.01,
      maximum: 16_000,
      'x-unit': 'MB',
      'x-order': 2,
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
      { description: 'Lines of the picture, counted on its shorter side.', default: 'auto', 'x-order': 3 },
    ),
    longestEdge,
    frameRate: frameRate('Left empty, as in the video.', { maximum: 240 }),
    rotate: choice(
      'Rotate',
      { '0': 'Not at all', '90': '90° clockwise', '180': '180°', '270': '90° counterclockwise' },
      { default: '0' },
    ),
  }),
  audio: group('Sound', { remove: flag('Remove the sound', { default: false }) }),
  trim,
  metadata: group('Metadata', { strip: flag('Remove tags and chapters', { default: false }) }),
})

export type VideoOptions = OptionsOf<ReturnType<typeof videoOptions>>

/** Options of animations, which have no sound. */
export const animationOptions = {
  trim,
  frameRate: frameRate('Fewer frames make a smaller file.', { default: 12, maximum: 50 }),
  longestEdge: { ...longestEdge, default: 480 },
}

/** The same for WebP, whose quality can be chosen. */
export const webpOptions = {
  ...animationOptions,
  quality: { ...quality, description: 'From 1, smallest, to 100, best.', default: 70 },
}

export type AnimationOptions = OptionsOf<typeof animationOptions> & { quality?: number }
