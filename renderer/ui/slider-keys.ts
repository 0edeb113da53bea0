interface Slider {
  /** Where it ends; it begins at 0. */
  most: number
  step: number
  /** The step of the keys that move far. */
  far?: number
  /** Whether it begins on the right. */
  isReversed?: boolean
}

/** Where a key moves a slider; undefined for other keys. Arrows move it in their own direction. */
export function afterKey(
  key: string,
  at: number,
  { most, step, far = step, isReversed = false }: Slider,
): number | undefined {
  const forward = isReversed ? -step : step
  const places: Record<string, number | undefined> = {
    ...{ ArrowRight: at + forward, ArrowLeft: at - forward, ArrowUp: at + step, ArrowDown: at - step },
    ...{ PageUp: at + far, PageDown: at - far, Home: 0, End: most },
  }
  const to = places[key]
  return to === undefined ? undefined : Math.min(most, Math.max(0, to))
}
