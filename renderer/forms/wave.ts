/** Height of the drawing of a waveform, in units of its own; each stretch is one wide. */
export const HEIGHT = 100

/** The outline of a waveform, for the path of an SVG. @param peaks loudest samples of equal stretches, 0 to 1 */
export function pathOf(peaks: readonly number[]): string {
  const half = HEIGHT / 2
  return peaks
    .map((peak, index) => {
      const reach = Math.max(0.6, peak * half * 0.95)
      return `M${index + 0.1} ${half - reach}h0.8v${2 * reach}h-0.8z`
    })
    .join('')
}
