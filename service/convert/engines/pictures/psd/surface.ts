import { type Inseparable, inseparable, type Separable, separable } from './blend.ts'
import type { Rect } from './layers.ts'
import { maxOf, type Samples } from './samples.ts'

/** A part of the canvas to paint on: interleaved samples, `colors` of them and alpha, not premultiplied. */
export interface Surface extends Rect {
  colors: number
  data: Samples
}

export interface Paint {
  blend: string
  /** 0–1. */
  opacity: number
  /** Keeps the target's shape: paint is visible only where the target already is. */
  atop?: boolean
}

export const widthOf = (rect: Rect): number => Math.max(0, rect.right - rect.left)
export const heightOf = (rect: Rect): number => Math.max(0, rect.bottom - rect.top)

export const intersect = (a: Rect, b: Rect): Rect => {
  const left = Math.max(a.left, b.left)
  const top = Math.max(a.top, b.top)
  return {
    left,
    top,
    right: Math.max(left, Math.min(a.right, b.right)),
    bottom: Math.max(top, Math.min(a.bottom, b.bottom)),
  }
}

/** Paints `source` onto `target` where they overlap, with the formula of PDF 1.7, 11.3.6. */
export function paint(target: Surface, source: Surface, { blend, opacity, atop = false }: Paint): void {
  const area = intersect(target, source)
  const width = widthOf(area)
  if (width === 0 || opacity <= 0) return
  const mix = separable[blend]
  const mixAll = target.colors >= 3 ? inseparable[blend] : undefined
  const step = target.colors + 1
  const pixel = mixAll
    ? wholePixel(target, source, blend === 'lum ', mixAll, opacity, atop)
    : separatePixel(target, source, mix, opacity, atop)
  for (let y = area.top; y < area.bottom; y++) {
    let to = ((y - target.top) * widthOf(target) + area.left - target.left) * step
    let from = ((y - source.top) * widthOf(source) + area.left - source.left) * step
    for (let x = 0; x < width; x++, to += step, from += step) pixel(to, from)
  }
}

type PaintPixel = (to: number, from: number) => void

function separatePixel(
  { data: under, colors }: Surface,
  { data: over }: Surface,
  mix: Separable | undefined,
  opacity: number,
  atop: boolean,
): PaintPixel {
  const max = maxOf(under)
  return (to, from) => {
    const sourceAlpha = (over[from + colors]! / max) * opacity
    if (sourceAlpha === 0) return
    const backAlpha = under[to + colors]! / max
    if (atop && backAlpha === 0) return
    const alpha = atop ? backAlpha : sourceAlpha + backAlpha * (1 - sourceAlpha)
    const kept = atop ? 1 - sourceAlpha : ((1 - sourceAlpha) * backAlpha) / alpha
    const share = atop ? 1 : backAlpha
    for (let c = 0; c < colors; c++) {
      const b = under[to + c]!
      const s = over[from + c]!
      const mixed = mix ? (1 - share) * s + share * mix(b / max, s / max) * max : s
      under[to + c] = kept * b + (1 - kept) * mixed + 0.5
    }
    under[to + colors] = alpha * max + 0.5
  }
}

/**
 * Like `separatePixel`, with the first three colours blended together; how a fourth (black ink) is blended depends on
 * the mode.
 */
function wholePixel(
  { data: under, colors }: Surface,
  { data: over }: Surface,
  blackFromSource: boolean,
  mix: Inseparable,
  opacity: number,
  atop: boolean,
): PaintPixel {
  const max = maxOf(under)
  const [back, source, mixed] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)]
  return (to, from) => {
    const sourceAlpha = (over[from + colors]! / max) * opacity
    if (sourceAlpha === 0) return
    const backAlpha = under[to + colors]! / max
    if (atop && backAlpha === 0) return
    const alpha = atop ? backAlpha : sourceAlpha + backAlpha * (1 - sourceAlpha)
    const kept = atop ? 1 - sourceAlpha : ((1 - sourceAlpha) * backAlpha) / alpha
    const share = atop ? 1 : backAlpha
    for (let c = 0; c < 3; c++) {
      back[c] = under[to + c]! / max
      source[c] = over[from + c]! / max
    }
    mix(back, source, mixed)
    for (let c = 0; c < colors; c++) {
      const s = over[from + c]!
      const whole = c < 3 ? mixed[c]! * max : blackFromSource ? s : under[to + c]!
      under[to + c] = kept * under[to + c]! + (1 - kept) * ((1 - share) * s + share * whole) + 0.5
    }
    under[to + colors] = alpha * max + 0.5
  }
}

/** Moves `target` from its earlier state (`before`) towards the current one, by `share(x, y)` of 0–1. */
export function fadeIn(target: Surface, before: Samples, share: (x: number, y: number) => number): void {
  const { data, colors } = target
  const max = maxOf(data)
  const step = colors + 1
  let at = 0
  for (let y = target.top; y < target.bottom; y++) {
    for (let x = target.left; x < target.right; x++, at += step) {
      const now = share(x, y)
      const [alphaBefore, alphaNow] = [before[at + colors]! * (1 - now), data[at + colors]! * now]
      const alpha = alphaBefore + alphaNow
      for (let c = 0; c < colors && alpha > 0; c++) {
        data[at + c] = (before[at + c]! * alphaBefore + data[at + c]! * alphaNow) / alpha + 0.5
      }
      data[at + colors] = Math.min(max, alpha + 0.5)
    }
  }
}
