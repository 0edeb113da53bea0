/** What can be shown of a file, and of what a quick conversion makes of it: no job, no price, nothing that is kept for long. */

/** Something to look at or to listen to. `file` is a name among the files that were made for it. */
export type Look =
  /** A picture, page or frame, as WebP no larger than asked for. `width` and `height` are those of the thing itself, where it has pixels. */
  | { kind: 'picture'; file: string; width: number | null; height: number | null }
  /**
   * An excerpt as WAV. `peaks` are the loudest samples of equal stretches, 0 to 1; `whole` are those of all of the recording,
   * where a file is shown alone and is not too long for it.
   */
  | { kind: 'sound'; file: string; from: number; seconds: number; peaks: number[]; whole?: number[] }
  /** The beginning of a text. */
  | { kind: 'text'; text: string; isWhole: boolean }
  /** A font that browsers take. */
  | { kind: 'font'; file: string }
  /** The first entries of an archive, and how many there are. */
  | { kind: 'entries'; entries: { path: string; bytes: number | null }[]; count: number }

/** A file before and after a conversion. */
export interface Comparison {
  before: Look | null
  after: Look | null
  /** Size of the result; null when nothing was converted. */
  bytes: number | null
  /** Whether `bytes` follows from a part of the file. */
  isEstimate: boolean
  /** Structural similarity of two pictures, 1 for alike; null where they cannot be compared. */
  ssim: number | null
}

/** Edges in pixels that thumbnails fit into: 48 CSS pixels, on ordinary screens and on those of twice the density. */
export const THUMBNAIL_EDGES = [48, 96] as const

/** Formats that an office suite lays out before they can be seen. */
const office = new Set(['doc', 'docx', 'word', 'rtf', 'pptx', 'xlsx', 'excel'])

export const needsOffice = (format: string): boolean => office.has(format)

/** Longest edge in pixels of pictures in a comparison. */
export const LOOK_EDGE = 1600
