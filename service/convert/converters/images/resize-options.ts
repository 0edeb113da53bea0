import { choice, flag, group, integer, only } from '../../catalogue/options.ts'

/** A side of an exact size. */
const exactly = {
  minimum: 1,
  maximum: 30_000,
  'x-unit': 'px',
  'x-when': { enabled: [true], preset: ['custom'] },
}

/** @param scalable whether it is drawn at any size anyway */
export const resize = (scalable: boolean) =>
  group(
    'Resize',
    {
      enabled: flag('Resize the picture', {
        default: false,
        'x-implied': {
          mode: true,
          preset: true,
          value: true,
          width: true,
          height: true,
          fit: true,
          enlarge: true,
        },
      }),
      mode: choice(
        'Measure by',
        { pixels: 'Longest edge', percentage: 'Percentage' },
        { default: 'pixels', 'x-when': { enabled: [true] } },
      ),
      preset: choice(
        'Size',
        { off: 'Keep', '4k': '4K', '2k': '2K', '1080p': '1080p', '720p': '720p', custom: 'Custom' },
        {
          description:
            'Longest edge: 4K is 3840 pixels, 2K is 2560, 1080p is 1920, 720p is 1280. A value alone is a custom size.',
          default: 'off',
          'x-implied': { value: 'custom', width: 'custom', height: 'custom' },
          'x-when': { enabled: [true] },
        },
      ),
      value: integer('Custom size', {
        description: 'Longest edge in pixels, or the scale in percent.',
        minimum: 1,
        maximum: 10_000,
        'x-when': { enabled: [true], preset: ['custom'] },
      }),
      width: integer('Width', { ...exactly }),
      height: integer('Height', { ...exactly }),
      fit: choice(
        'How it fits',
        { contain: 'All of it, within that size', cover: 'Filled, the rest cut off', fill: 'Stretched' },
        { default: 'contain', 'x-when': { enabled: [true], preset: ['custom'] } },
      ),
      ...only({
        enlarge:
          !scalable &&
          flag('Enlarge smaller pictures', {
            description: 'Otherwise a picture that would become larger stays as it is.',
            default: false,
            'x-when': { enabled: [true] },
          }),
      }),
    },
    { 'x-control': 'size', 'x-order': 2 },
  )
