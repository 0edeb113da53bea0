import type { Options } from '../../../catalogue/task.ts'
import { JobFailure } from '../../../errors.ts'
import { defaultQuality } from '../options.ts'

/** Image options as the writers use them. */
export interface ImageSettings {
  resize: { pixels: number; enlarge: boolean } | { percent: number } | null
  smart: 'lossy' | 'lossless' | null
  stripMetadata: boolean
  quality: number
  /** `#rrggbb`. */
  background: string
  /** Frame a still picture is taken from, from 0. */
  frame: number
  /** Pixels per inch, of a rendered drawing or on a PDF page; null where the picture's own applies. */
  density: number | null
  /** Edges of the pictures of an icon, in pixels. */
  iconSizes: number[]
  /** Pages to convert, from 0; null for all. */
  pages: ((page: number) => boolean) | null
}

/** Longest edges of the named sizes, in pixels. */
const presets: Record<string, number> = { '4k': 3840, '2k': 2560, '1080p': 1920, '720p': 1280 }

interface Given {
  resize?: { enabled?: boolean; mode?: string; preset?: string; value?: number; enlarge?: boolean }
  smartCompression?: { enabled?: boolean; mode?: 'lossy' | 'lossless' }
  metadata?: { strip?: boolean }
  quality?: number
  background?: string
  frame?: number
  density?: number
  icon?: { sizes?: string }
  pages?: string
}

/** Reads validated options; whatever a converter does not offer has its default. */
export function imageSettings(options: Options, target: string): ImageSettings {
  const { resize, smartCompression, metadata, ...rest } = options as Given
  return {
    resize: resize?.enabled ? resizing(resize) : null,
    smart: smartCompression?.enabled ? (smartCompression.mode ?? 'lossy') : null,
    stripMetadata: metadata?.strip ?? true,
    quality: rest.quality ?? defaultQuality[target] ?? 90,
    background: rest.background ?? '#ffffff',
    frame: (rest.frame ?? 1) - 1,
    density: rest.density ?? null,
    iconSizes: iconSizes(rest.icon?.sizes ?? '16,24,32,48,64,128,256'),
    pages: pageFilter(rest.pages ?? 'all'),
  }
}

function resizing({ mode, preset = 'off', value, enlarge = false }: NonNullable<Given['resize']>) {
  if (preset !== 'custom') return presets[preset] ? { pixels: presets[preset], enlarge } : null
  if (value === undefined) return null
  return mode === 'percentage' ? { percent: value } : { pixels: value, enlarge }
}

const iconSizes = (list: string): number[] => {
  const sizes = [...new Set(list.split(',').map(Number))].filter(size => size >= 1 && size <= 256)
  return sizes.sort((a, b) => a - b)
}

/** Reads a list such as `1-3,7`; pages count from 1 in it. */
function pageFilter(list: string): ImageSettings['pages'] {
  if (list === 'all') return null
  const ranges = list.split(',').map(range => range.split('-').map(Number))
  return page => ranges.some(([first = 0, last = first]) => page + 1 >= first && page + 1 <= last)
}

/** Most pixels a result may have; larger ones would take the machine down. */
const PIXEL_LIMIT = 400_000_000

/**
 * Size of the result in proportion to the source, or undefined when it stays as it is. A longest edge makes a
 * picture larger only when asked to; a percentage says so itself. `scalable` sources, drawings, have no size of
 * their own and take any.
 */
export function targetSize(
  { width, height }: { width: number; height: number },
  resize: ImageSettings['resize'],
  scalable = false,
): { width: number; height: number } | undefined {
  if (!resize) return undefined
  const factor = 'percent' in resize ? resize.percent / 100 : resize.pixels / Math.max(width, height)
  if (factor === 1 || (factor > 1 && 'pixels' in resize && !resize.enlarge && !scalable)) return undefined
  const size = {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  }
  if (size.width * size.height > PIXEL_LIMIT) {
    throw new JobFailure(
      'jobs.too_large',
      'The result would have more than 400 megapixels. Choose a smaller size.',
    )
  }
  return size
}
