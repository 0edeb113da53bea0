/** Converts CIELAB samples to sRGB. */
import { quickSignalOf } from '../../common/srgb.ts'

/**
 * Converts CIELAB under D50 to sRGB, in place: L of 0–100 over the range of the samples, a and b around the middle. The
 * matrix is XYZ D50 to linear sRGB with Bradford adaptation.
 * @param step samples per pixel; those after the first three stay as they are
 */
export function labToSrgb(data: Uint8Array | Uint16Array, step: number): void {
  const max = data instanceof Uint8Array ? 255 : 65535
  const scale = max === 255 ? 1 : 256
  const middle = max === 255 ? 128 : 32768
  const cube = (t: number) => (t > 6 / 29 ? t * t * t : (108 / 841) * (t - 4 / 29))
  const encode = (light: number) => max * quickSignalOf(light)
  for (let i = 0; i < data.length; i += step) {
    const fy = ((data[i]! / max) * 100 + 16) / 116
    const x = 0.9642 * cube(fy + (data[i + 1]! - middle) / scale / 500)
    const y = cube(fy)
    const z = 0.8249 * cube(fy - (data[i + 2]! - middle) / scale / 200)
    data[i] = Math.round(encode(3.1338561 * x - 1.6168667 * y - 0.4906146 * z))
    data[i + 1] = Math.round(encode(-0.9787684 * x + 1.9161415 * y + 0.033454 * z))
    data[i + 2] = Math.round(encode(0.0719453 * x - 0.2289914 * y + 1.4052427 * z))
  }
}
