/** Height of the view box of a waveform; each interval is one unit wide. */
export const HEIGHT = 100

/** The outline of a waveform, for an SVG path. @param peaks loudest samples of equal intervals, 0 to 1 */
export function pathOf(peaks: readonly number[]): string {
  const half = HEIGHT / 2
  return peaks
    .map((peak, index) => {
      const reach = Math.max(0.6, peak * half * 0.95)
      return `M${index + 0.1} ${half - reach}h0.8v${2 * reach}h-0.8z`
    })
    .join('')
}
