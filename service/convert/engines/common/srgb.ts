/** The tone curve of sRGB (IEC 61966-2-1), for values from 0 to 1. */

export const lightOf = (signal: number): number =>
  signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4

export const signalOf = (light: number): number =>
  light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055

// The curve is nearly linear over the square root of the light, so a short table is accurate enough.
const STEPS = 4096
const curve = Float64Array.from({ length: STEPS + 2 }, (_, step) =>
  signalOf(Math.min(1, (step / STEPS) ** 2)),
)

/** The same as `signalOf`, for many values; those outside of the range count as black and white. */
export function quickSignalOf(light: number): number {
  const at = Math.sqrt(Math.max(0, Math.min(1, light))) * STEPS
  const step = at | 0
  return curve[step]! + (at - step) * (curve[step + 1]! - curve[step]!)
}
