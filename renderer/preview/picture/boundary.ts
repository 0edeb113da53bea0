/** Position of the divider between before and after, in percent of the width from the side where reading starts. */

const STEP = 2
const LARGE_STEP = 10

const within = (percent: number): number => Math.min(100, Math.max(0, percent))

/** The divider after a key press; undefined for other keys. Arrows move it in their own direction. */
export function afterKey(percent: number, key: string, isRightToLeft: boolean): number | undefined {
  const forward = isRightToLeft ? -STEP : STEP
  const steps: Record<string, number | undefined> = {
    ArrowRight: forward,
    ArrowLeft: -forward,
    ArrowUp: STEP,
    ArrowDown: -STEP,
    PageUp: LARGE_STEP,
    PageDown: -LARGE_STEP,
    Home: -100,
    End: 100,
  }
  const step = steps[key]
  return step === undefined ? undefined : within(percent + step)
}

/** The divider position under a pointer. */
export function underPointer(
  x: number,
  { left, width }: { left: number; width: number },
  isRightToLeft: boolean,
): number {
  if (width === 0) return 50
  const share = within(((x - left) / width) * 100)
  return isRightToLeft ? 100 - share : share
}
