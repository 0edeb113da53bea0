/** What can be shown of a file and of a quick conversion of it. There is no job and no price, and nothing is kept for long. */

/** Something to look at or listen to. `file` is the name of one of the preview's files. */
export type PreviewContent =
  /**
   * A picture, page or frame, as WebP no larger than requested. `width` and `height` are those of the original, if it has pixels.
   */
  | { kind: 'picture'; file: string; width: number | null; height: number | null }
  /**
   * An excerpt as WAV. `peaks` are the loudest samples of equal intervals, 0 to 1; `whole` are those of the whole file,
   * if the file is shown alone and is not too long.
   */
  | { kind: 'sound'; file: string; from: number; seconds: number; peaks: number[]; whole?: number[] }
  /** The beginning of a text. */
  | { kind: 'text'; text: string; isWhole: boolean }
  /** A font that browsers accept. */
  | { kind: 'font'; file: string }
  /** The first entries of an archive, and the total number. */
  | { kind: 'entries'; entries: { path: string; bytes: number | null }[]; count: number }

/** A file before and after a conversion. */
export interface Comparison {
  before: PreviewContent | null
  after: PreviewContent | null
  /** Size of the result; null if nothing was converted. */
  bytes: number | null
  /** Whether `bytes` is extrapolated from a part of the file. */
  isEstimate: boolean
  /** Structural similarity of two pictures, 1 if identical; null if they cannot be compared. */
  ssim: number | null
}

/** Thumbnail sizes in pixels: 48 CSS pixels, on ordinary and on double-density screens. */
export const THUMBNAIL_EDGES = [48, 96] as const

/** Formats that need an office suite to be shown. */
const office = new Set('doc docx rtf odt pptx ppt odg odp xlsx xls ods html'.split(' '))

export const needsOffice = (format: string): boolean => office.has(format)

/** Longest edge in pixels of the pictures in a comparison. */
export const PREVIEW_EDGE = 1600
