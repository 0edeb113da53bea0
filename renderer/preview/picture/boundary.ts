/** The divider between before and after under a pointer, in percent of the width from the side where reading starts. */
export function underPointer(
  x: number,
  { left, width }: { left: number; width: number },
  isRightToLeft: boolean,
): number {
  if (width === 0) return 50
  const share = Math.min(100, Math.max(0, ((x - left) / width) * 100))
  return isRightToLeft ? 100 - share : share
}
