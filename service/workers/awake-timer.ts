const STEP_MS = 1000

/**
 * Calls `onEnd` after `ms` milliseconds in which this process could run. Time in which it was stopped or the machine slept does
 * not count, of which the clocks of some systems make no difference.
 * @param stepMs what one sleep takes of it at most
 * @returns stops the timer
 */
export function afterAwake(ms: number, onEnd: () => void, stepMs = STEP_MS): () => void {
  let left = ms
  let timer: NodeJS.Timeout
  const wait = () => {
    const step = Math.min(left, stepMs)
    timer = setTimeout(() => {
      left -= step
      if (left > 0) wait()
      else onEnd()
    }, step)
  }
  wait()
  return () => clearTimeout(timer)
}
