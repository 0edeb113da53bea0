/** Size and rate of pictures as they are encoded. */
import type { PictureTrack } from '../../engines/media/ffmpeg/recording.ts'
import { shownSize } from './source.ts'

const even = (pixels: number) => Math.max(2, 2 * Math.round(pixels / 2))

/** Longest and shorter edge that pictures have at most. */
interface Edges {
  longest?: number
  shorter?: number
}

/** Size of pictures that fit within these edges, in even pixels. */
export function sizeWithin(picture: PictureTrack, { longest = Infinity, shorter = Infinity }: Edges) {
  const { width, height } = shownSize(picture)
  const factor = Math.min(1, longest / Math.max(width, height), shorter / Math.min(width, height))
  return { width: even(width * factor), height: even(height * factor) }
}

/** The filter that fits pictures within these edges; none if they need no change. */
export function scaled(picture: PictureTrack, edges: Edges, flags = 'bicubic'): string[] {
  const shown = shownSize(picture)
  const { width, height } = sizeWithin(picture, edges)
  return width === shown.width && height === shown.height ? [] : [`scale=${width}:${height}:flags=${flags}`]
}

/**
 * The filter of a frame rate. A video that is shorter than one of its frames keeps one, which would otherwise be rounded away.
 * @param seconds its length, if known
 */
export const constantRate = (rate: number | string, seconds: number | null | undefined): string =>
  `fps=${rate}${seconds && seconds * numberOf(rate) < 1 ? ':eof_action=pass' : ''}`

/** Frames a second of a format that knows only some. */
export const USUAL_RATE = 25

/** A rate such as 25 or `30000/1001`. */
const numberOf = (rate: number | string): number => {
  const [count = 0, of = 1] = String(rate).split('/').map(Number)
  return count / of
}

/** The closest of these rates, if there are any. */
export const nearest = (wanted: number, rates: readonly string[] = []): number | string => {
  const by = (rate: string) => Math.abs(Math.log(numberOf(rate) / wanted))
  return rates.toSorted((a, b) => by(a) - by(b))[0] ?? wanted
}

/** Units of time in a second in which frames are timed, at least, and at most: MPEG-4 has no more than 65,535. */
const [UNITS, MOST_UNITS] = [240, 60_000]

/**
 * Arguments that keep the times of frames, which ffmpeg would move to the grid that it sees at the beginning, leaving out those that
 * come closer. Multiples of that grid let an even rate stay even where the file has rounded its times.
 */
export const positioned = (grid: number | null): string[] =>
  grid === null ? [] : ['-enc_time_base:v', `1/${Math.min(MOST_UNITS, grid * Math.ceil(UNITS / grid))}`]

/** Pictures whose pixels are as high as wide, which those of discs are not. */
export const squarePixels = ["scale='trunc(iw*sar)':ih,setsar=1"]

/** A picture after that. */
export const squareOf = (picture: PictureTrack): PictureTrack => ({
  ...picture,
  width: Math.trunc(picture.width * picture.pixelAspect),
  pixelAspect: 1,
})
