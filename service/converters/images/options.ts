import { choice, flag, group, integer, type OptionProperties } from '../../catalogue/options.ts'

const resize = group('Resize', {
  enabled: flag('Resize the picture', { default: false }),
  mode: choice(
    'Measure by',
    { pixels: 'Longest edge', percentage: 'Percentage' },
    { default: 'pixels', 'x-when': { enabled: [true] } },
  ),
  preset: choice(
    'Size',
    { off: 'Keep', '4k': '4K', '2k': '2K', '1080p': '1080p', '720p': '720p', custom: 'Custom' },
    { default: 'off', 'x-when': { enabled: [true] } },
  ),
  value: integer('Custom size', {
    description: 'Longest edge in pixels, or the scale in percent.',
    minimum: 1,
    maximum: 10_000,
    'x-when': { enabled: [true], preset: ['custom'] },
  }),
})

const smartCompression = group('Smart compression', {
  enabled: flag('Make the file as small as it can be', { default: false }),
  mode: choice(
    'How',
    { lossy: 'Lossy, much smaller', lossless: 'Lossless, every pixel kept' },
    { default: 'lossy', 'x-when': { enabled: [true] } },
  ),
})

const metadata = group('Metadata', {
  strip: flag('Remove camera data, location and other metadata', { default: true }),
})

/** Options every image conversion has. */
export const imageOptions = (_target: string): OptionProperties => ({ resize, smartCompression, metadata })
