/** Blend functions on values 0–1: `b` is the backdrop, `s` the source (PDF 1.7, 11.3.5, and Photoshop's own). */

export type Separable = (b: number, s: number) => number
type Color = Float64Array

const screen: Separable = (b, s) => b + s - b * s
const hardLight: Separable = (b, s) => (s <= 0.5 ? b * 2 * s : screen(b, 2 * s - 1))
const colorDodge: Separable = (b, s) => (b === 0 ? 0 : s >= 1 ? 1 : Math.min(1, b / (1 - s)))
const colorBurn: Separable = (b, s) => (b >= 1 ? 1 : s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s))
const clamp = (value: number) => (value < 0 ? 0 : Math.min(value, 1))
const vividLight: Separable = (b, s) => (s <= 0.5 ? colorBurn(b, 2 * s) : colorDodge(b, 2 * s - 1))
const softLight: Separable = (b, s) => {
  if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b)
  const d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b)
  return b + (2 * s - 1) * (d - b)
}

/**
 * Modes that treat each channel separately. Normal, dissolve and unknown modes are absent: they use the source as it
 * is.
 */
export const separable: Record<string, Separable> = {
  dark: Math.min,
  'mul ': (b, s) => b * s,
  idiv: colorBurn,
  lbrn: (b, s) => Math.max(0, b + s - 1),
  lite: Math.max,
  scrn: screen,
  'div ': colorDodge,
  lddg: (b, s) => Math.min(1, b + s),
  over: (b, s) => hardLight(s, b),
  sLit: softLight,
  hLit: hardLight,
  vLit: vividLight,
  lLit: (b, s) => clamp(b + 2 * s - 1),
  pLit: (b, s) => (s <= 0.5 ? Math.min(b, 2 * s) : Math.max(b, 2 * s - 1)),
  hMix: (b, s) => (b + s >= 1 ? 1 : 0),
  diff: (b, s) => Math.abs(b - s),
  smud: (b, s) => b + s - 2 * b * s,
  fsub: (b, s) => Math.max(0, b - s),
  fdiv: (b, s) => (s <= 0 ? (b <= 0 ? 0 : 1) : Math.min(1, b / s)),
}

const luminosity = (c: Color) => 0.3 * c[0]! + 0.59 * c[1]! + 0.11 * c[2]!
const least = (c: Color) => Math.min(c[0]!, c[1]!, c[2]!)
const most = (c: Color) => Math.max(c[0]!, c[1]!, c[2]!)
const saturation = (c: Color) => most(c) - least(c)

function setLuminosity(color: Color, target: number): void {
  const shift = target - luminosity(color)
  for (let i = 0; i < 3; i++) color[i] = color[i]! + shift
  const [low, high] = [least(color), most(color)]
  if (low < 0)
    for (let i = 0; i < 3; i++) color[i] = target + ((color[i]! - target) * target) / (target - low)
  if (high > 1) {
    for (let i = 0; i < 3; i++) color[i] = target + ((color[i]! - target) * (1 - target)) / (high - target)
  }
}

function setSaturation(color: Color, target: number): void {
  const low = least(color)
  const range = most(color) - low
  for (let i = 0; i < 3; i++) color[i] = range === 0 ? 0 : ((color[i]! - low) * target) / range
}

/** Writes the blend of the first three channels into `out`, which must not be one of the arguments. */
export type Inseparable = (b: Color, s: Color, out: Color) => void

/** Modes that treat the colour as a whole. */
export const inseparable: Record<string, Inseparable> = {
  'hue ': (b, s, out) => {
    out.set(s)
    setSaturation(out, saturation(b))
    setLuminosity(out, luminosity(b))
  },
  'sat ': (b, s, out) => {
    out.set(b)
    setSaturation(out, saturation(s))
    setLuminosity(out, luminosity(b))
  },
  colr: (b, s, out) => {
    out.set(s)
    setLuminosity(out, luminosity(b))
  },
  'lum ': (b, s, out) => {
    out.set(b)
    setLuminosity(out, luminosity(s))
  },
  dkCl: (b, s, out) => out.set(luminosity(s) < luminosity(b) ? s : b),
  lgCl: (b, s, out) => out.set(luminosity(s) > luminosity(b) ? s : b),
}
