import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Task } from '../../../catalogue/task.ts'
import { megapixels, PIXEL_LIMIT } from '../../../engines/common/limits.ts'
import { type Size, scaledSize } from '../../../engines/common/rectangle.ts'
import type { Metadata } from '../../../engines/pictures/metadata/description.ts'
import type { Edits } from '../edit-options.ts'
import type { ImageOptions } from '../options.ts'

/** A longest edge, a scale, or a width, a height or both, which the picture fits into, covers, or is stretched to. */
export type Resize = ({ pixels: number } | { percent: number } | Box) & { enlarge: boolean }

interface Box {
  width?: number | undefined
  height?: number | undefined
  fit: 'contain' | 'cover' | 'fill'
}

/** Options that the writers take as they are. */
const TAKEN = ['bitDepth', 'colour', 'colours', 'compression', 'density', 'detail', 'hdr', 'quality'] as const

/** Image options for the writers; a field is absent if the target or the source does not have the option. */
export interface ImageSettings extends Partial<Pick<ImageOptions, (typeof TAKEN)[number]>> {
  resize: Resize | null
  /** Changes of the picture itself; absent if the conversion offers none. */
  edits?: Edits
  smart: 'lossy' | 'lossless' | null
  metadata: Metadata
  /** The most bytes that the file may have. */
  most?: number | undefined
  /** `#rrggbb`. */
  background?: string | undefined
  /** Frame to use for a still picture, from 0. */
  frame: number
  /** Whether an icon becomes all those of a website. */
  website?: boolean | undefined
  /** Sizes of the pictures in an icon, in pixels, ascending. */
  iconSizes: number[]
  /** List of the pages to convert; null for all. */
  pages: string | null
}

/** Longest edges of the named sizes, in pixels. */
const PRESETS = { '4k': 3840, '2k': 2560, '1080p': 1920, '720p': 1280 } as const

/** The settings for a task's options, with a warning if one of them has no effect because another excludes it. */
export function imageSettings({
  options,
  warn,
}: Pick<Task<ImageOptions>, 'options' | 'warn'>): ImageSettings {
  const { resize, smartCompression, metadata, background, frame, icon, pages } = options
  const {
    keep = 'none',
    strip: _strip,
    ...description
  }: Partial<NonNullable<typeof metadata>> = metadata ?? {}
  const { enabled, preset, mode, value } = resize
  if (enabled && preset !== 'custom' && (value !== undefined || mode === 'percentage'))
    warn(message('picture.size_value_unused', { preset }))
  return {
    resize: resizing(resize),
    ...(options.crop && { edits: options as Edits }),
    smart: smartCompression?.enabled ? (smartCompression.mode ?? 'lossy') : null,
    metadata: { keep, description },
    ...Object.fromEntries(TAKEN.map(key => [key, options[key]])),
    most: options.targetSize && options.targetSize * 1000,
    background: background?.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'),
    frame: frame === undefined ? 0 : frame - 1,
    website: icon?.website,
    iconSizes: icon ? iconSizes(icon.sizes) : [],
    pages: pages === undefined || pages === 'all' ? null : pages,
  }
}

function resizing({
  enabled,
  mode,
  preset,
  value,
  width,
  height,
  fit,
  enlarge = false,
}: ImageOptions['resize']): ImageSettings['resize'] {
  if (!enabled || preset === 'off') return null
  if (preset !== 'custom') return { pixels: PRESETS[preset], enlarge }
  if (width !== undefined || height !== undefined) return { width, height, fit, enlarge }
  if (value === undefined) return null
  return mode === 'percentage' ? { percent: value, enlarge } : { pixels: value, enlarge }
}

const iconSizes = (list: string): number[] => [...new Set(list.split(',').map(Number))].sort((a, b) => a - b)

/** @throws JobFailure unsupported_input if the frame of the settings is beyond the last one of a file */
export function requireFrame({ frame }: Pick<ImageSettings, 'frame'>, frames: number): void {
  if (frame < frames) return
  throw new JobFailure(
    'jobs.unsupported_input',
    message('animation.frame_missing', { frame: frame + 1, frames }),
  )
}

/**
 * Size of the result with the source's proportions, or undefined if it is unchanged. A picture is only enlarged on
 * request. `scalable` sources, vector graphics, have no size of their own and can have any.
 */
export function targetSize(
  { width, height }: Size,
  resize: Resize | null,
  scalable = false,
): Size | undefined {
  if (!resize) return undefined
  const size = wantedSize({ width, height }, resize, scalable)
  if (!size || (size.width === width && size.height === height)) return undefined
  if (size.width * size.height > PIXEL_LIMIT) {
    throw new JobFailure(
      'jobs.too_large',
      message('picture.result_too_large', { megapixels: megapixels(PIXEL_LIMIT) }),
    )
  }
  return size
}

function wantedSize(size: Size, resize: Resize, scalable: boolean): Size | undefined {
  if ('fit' in resize && resize.fit !== 'contain') {
    const { width = size.width, height = size.height } = resize
    return { width, height }
  }
  const longest = Math.max(size.width, size.height)
  const factor =
    'percent' in resize
      ? resize.percent / 100
      : 'pixels' in resize
        ? resize.pixels / longest
        : Math.min((resize.width ?? Infinity) / size.width, (resize.height ?? Infinity) / size.height)
  if (factor === 1 || (factor > 1 && !resize.enlarge && !scalable)) return undefined
  return scaledSize(size, factor)
}
