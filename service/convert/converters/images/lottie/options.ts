import { integer, number, type OptionsOf, only, text } from '../../../catalogue/options.ts'
import { imageOptionsOf, quality } from '../options.ts'

/** Formats that hold a single frame. */
const still = new Set(['jpg', 'png'])

const frame = text('Frame', {
  description:
    'Which frame becomes the picture: auto (the first that shows something), first, middle, last, or its number from 1.',
  default: 'auto',
  pattern: '^(auto|first|middle|last|[1-9][0-9]{0,5})$',
  maxLength: 6,
  'x-example': 'first, 12',
  'x-order': 1,
  'x-per-file': true,
})

const fps = (target: string) =>
  number('Frame rate', {
    description:
      target === 'gif'
        ? "By default the animation's own, at most 50; GIF knows only hundredths of a second."
        : "By default the animation's own, at most 60. The duration never changes.",
    minimum: 1,
    maximum: target === 'gif' ? 50 : 120,
    'x-unit': 'fps',
    'x-order': 1,
  })

const loop = integer('Times to play', {
  description: '0 repeats endlessly.',
  default: 0,
  minimum: 0,
  maximum: 10_000,
})

const background = (target: string) =>
  text('Background', {
    description:
      target === 'jpg'
        ? 'Colour under transparent parts, as #rrggbb or #rgb.'
        : 'transparent, or a colour as #rrggbb or #rgb.',
    default: target === 'jpg' ? '#ffffff' : 'transparent',
    pattern: target === 'jpg' ? '^#([0-9a-fA-F]{3}){1,2}$' : '^(transparent|#([0-9a-fA-F]{3}){1,2})$',
    maxLength: 11,
    'x-control': 'colour',
    'x-example': '#1a2b3c',
    'x-order': 3,
  })

/** Options of a Lottie animation, by target. */
export const lottieOptions = (target: string) => ({
  ...imageOptionsOf({ unedited: true })(target),
  ...only({ quality: target === 'webm' ? quality(60) : undefined }),
  background: background(target),
  ...only({
    frame: still.has(target) && frame,
    fps: !still.has(target) && fps(target),
    loop: !still.has(target) && target !== 'webm' && loop,
  }),
})

export type LottieOptions = OptionsOf<ReturnType<typeof lottieOptions>>
