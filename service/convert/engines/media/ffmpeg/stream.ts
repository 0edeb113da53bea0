/** What is concluded from how a stream is described, whichever program describes it. */
import type { TrackName } from './recording.ts'

/** What programs write about themselves where MP4 and MOV have the name of a track. */
const MAKERS = /handler|media|gpac|l-smash|mainconcept|^\W*((sound|video|audio|subtitle|stereo|mono)\W*)?$/i

/** What a track is called, its language, and what it is meant for. */
export const nameOf = (
  { language, title, handler_name = '' }: Record<string, string>,
  disposition: Record<string, number>,
  position: number,
): TrackName => ({
  position,
  language: language && language !== 'und' ? language : null,
  title: title ?? (MAKERS.test(handler_name) ? null : handler_name),
  preferred: disposition.default === 1,
  forced: disposition.forced === 1,
})

/** The first of these names that is one of a matrix between colours and those of screens. */
export const matrixNamed = (names: readonly string[]): string | null =>
  names.find(name => /^(bt\d|smpte|fcc|gbr|ycgco|ictcp)/.test(name)) ?? null

/** Whether pixels of such a format may be transparent; WebM keeps that apart, and says so in a tag. */
export const isTransparent = (pixelFormat: string, tags: Record<string, string>): boolean =>
  /^(yuva|ya\d|[rb]gba|a[rb]g[rb]|gbrap)/.test(pixelFormat) || tags.alpha_mode === '1'

/** Bits of a decoded sample in a format such as `s32p`, of which a codec may use fewer. */
export function bitsOf(format: string, used: number): { bits: number; float: boolean } {
  const [, kind = 's', size = '16'] = /^(u|s|flt|dbl)(\d*)/.exec(format) ?? []
  const float = kind === 'flt' || kind === 'dbl'
  return { bits: used || Number(float ? (kind === 'flt' ? 32 : 64) : size), float }
}
