/**
 * ICC profiles for pictures that describe their colours by code points (ITU-T H.273) instead: wide gamuts such as
 * Display P3, and HDR curves, which are mapped to the range of an ordinary screen.
 */

import { lightOf } from '../../common/srgb.ts'
import type { Pixels } from '../pixels.ts'
import { type Gamut, greyProfile, matrixProfile, type ToneCurve } from './icc-write.ts'

/** Colour code points as defined in ITU-T H.273. */
export interface CodePoints {
  primaries: number
  transfer: number
  matrix: number
  fullRange: boolean
}

/** The light levels that an HDR picture was made for. */
export interface Mastering {
  /** Brightest light of the picture in nits, if the file contains it. */
  peak?: number | undefined
}

/** Chromaticities x, y of red, green, blue and white by code point (H.273, table 2), of screens and of all that differ from them. */
const PRIMARIES: Readonly<Record<number, Gamut>> = {
  1: [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329],
  4: [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.31, 0.316],
  8: [0.681, 0.319, 0.243, 0.692, 0.145, 0.049, 0.31, 0.316],
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329],
}

export const SRGB_GAMUT: Gamut = PRIMARIES[1]!

/** Primaries of ordinary screens and of old television, which are so close that decoders treat them alike. */
const ORDINARY = new Set([1, 2, 5, 6, 7, 22])

/** Luminance of diffuse white in nits, which is mapped to the white of a screen (ITU-R BT.2408). */
const WHITE = 203

/** Brightest light in nits of pictures that do not specify it. */
const USUAL_PEAK = 1000

/** Constants of the perceptual quantiser (SMPTE ST 2084). */
const PQ = {
  m1: 2610 / 16_384,
  m2: (2523 / 4096) * 128,
  c1: 3424 / 4096,
  c2: (2413 / 4096) * 32,
  c3: (2392 / 4096) * 32,
}

/** Light in nits of a signal. */
function pqLight(signal: number): number {
  const root = signal ** (1 / PQ.m2)
  return 10_000 * (Math.max(0, root - PQ.c1) / (PQ.c2 - PQ.c3 * root)) ** (1 / PQ.m1)
}

function pqSignal(nits: number): number {
  const power = (nits / 10_000) ** PQ.m1
  return ((PQ.c1 + PQ.c2 * power) / (1 + PQ.c3 * power)) ** PQ.m2
}

/**
 * Light in nits as shown by a screen of `WHITE` nits: shadows and midtones unchanged, highlights up to `peak`
 * compressed by a Hermite spline in perceptual steps (Report ITU-R BT.2390, 5.4.1, for a black of zero).
 */
function toneMapped(nits: number, peak: number): number {
  if (peak <= WHITE) return nits
  const whole = pqSignal(peak)
  const signal = Math.min(1, pqSignal(nits) / whole)
  const most = pqSignal(WHITE) / whole
  const knee = 1.5 * most - 0.5
  if (signal <= knee) return nits
  const t = (signal - knee) / (1 - knee)
  const mapped =
    (2 * t ** 3 - 3 * t ** 2 + 1) * knee +
    (t ** 3 - 2 * t ** 2 + t) * (1 - knee) +
    (3 * t ** 2 - 2 * t ** 3) * most
  return pqLight(mapped * whole)
}

/** Perceptual quantiser, relative to a screen's white. */
const pq =
  (peak: number): ToneCurve =>
  signal =>
    toneMapped(pqLight(signal), peak) / WHITE

/** Hybrid log-gamma with the system gamma of a 1000-nit screen (ITU-R BT.2100), relative to a screen's white. */
const hlg: ToneCurve = signal => {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073]
  const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - c) / a) + b) / 12
  return toneMapped(1000 * scene ** 1.2, 1000) / WHITE
}

/** Curves by code point (H.273, table 3) that differ from those of cameras, for which sRGB's curve is always used. */
const CURVES: Readonly<Record<number, (peak: number) => ToneCurve>> = {
  4: () => signal => signal ** 2.2,
  5: () => signal => signal ** 2.8,
  8: () => signal => signal,
  16: pq,
  17: () => signal => (52.37 / 48) * signal ** 2.6,
  18: () => hlg,
}

/** Curves that reach beyond the white of ordinary screens: PQ and HLG. */
export const HDR_CURVES: ReadonlySet<number> = new Set([16, 18])

/** How a file describes the colours of its picture; a profile overrides code points. */
interface Described {
  icc?: Uint8Array | undefined
  codePoints?: Pick<CodePoints, 'primaries' | 'transfer'> | undefined
  mastering: Mastering
}

/**
 * What pixels with these code points say of their colours; nothing if they mean sRGB, are unknown, or do not count.
 * @param grey whether the picture has no colours
 */
export function namedColours(
  { icc: own, codePoints, mastering: { peak = USUAL_PEAK } }: Described,
  grey = false,
): Pick<Pixels, 'icc' | 'ownProfile' | 'hdr'> {
  if (own || !codePoints) return {}
  const { primaries, transfer } = codePoints
  const gamut = ORDINARY.has(primaries) ? undefined : PRIMARIES[primaries]
  const curve = CURVES[transfer]?.(Math.min(Math.max(peak, WHITE), 10_000))
  const named = grey
    ? curve && greyProfile(curve)
    : (gamut || curve) && matrixProfile(gamut ?? SRGB_GAMUT, curve ?? lightOf)
  if (!named) return {}
  return { icc: named, ownProfile: false, ...(HDR_CURVES.has(transfer) && { hdr: { primaries, transfer } }) }
}
