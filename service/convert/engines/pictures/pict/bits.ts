import { type Rgb, white } from './colors.ts'
import { decodeMap, opaque, type PixelMap, type Rgba } from './pixmaps.ts'
import { transparent } from './ports.ts'

/** Transfer mode that omits the background colour. */
export const TRANSPARENT = 36

/** Whether a map is a bitmap, drawn in the port's two colours. */
export const isBitmap = (map: PixelMap): boolean => map.palette === undefined && !map.direct

/** Exclusive-or, in which white pixels invert the ground. */
export const INVERT = 2

/** The mode in which bits are drawn whose colours already include theirs. */
export const modeOfBits = (mode: number): number => (mode >= 16 ? mode : (mode & 3) === 2 ? INVERT : 0)

/** RGBA of a map in the port's colours; pixels that a mode leaves unchanged are transparent. */
export function pixelsOf(map: PixelMap, mode: number, foreground: Rgb, background: Rgb): Uint8ClampedArray {
  if (isBitmap(map)) {
    const [set, clear] = bitColors(mode, foreground, background)
    return decodeMap(map, set, clear)
  }
  const pixels = decodeMap(map, opaque(foreground), opaque(background))
  if (mode === TRANSPARENT) clearColor(pixels, background)
  return pixels
}

/** Colours of set and clear bits; they express the Boolean modes completely, except for the white of exclusive-or. */
export function bitColors(mode: number, foreground: Rgb, background: Rgb): [set: Rgba, clear: Rgba] {
  if (mode === TRANSPARENT) return [opaque(foreground), transparent]
  if (mode >= 16) return [opaque(foreground), opaque(background)]
  const painted: [Rgba, Rgba][] = [
    [opaque(foreground), opaque(background)],
    [opaque(foreground), transparent],
    [opaque(white), transparent],
    [opaque(background), transparent],
  ]
  const [set, clear] = painted[mode & 3]!
  return mode & 4 ? [clear, set] : [set, clear]
}

/** Makes one colour transparent. */
export function clearColor(pixels: Uint8ClampedArray, [r, g, b]: Rgb): void {
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i] === r && pixels[i + 1] === g && pixels[i + 2] === b) pixels[i + 3] = 0
  }
}
