const STEP_MS = 1000

/**
 * Calls `onEnd` after `ms` milliseconds during which this process could run. Time during which it was stopped or the machine
 * slept does not count; some systems' clocks include it.
 * @param stepMs the most that one sleep can take from the time
 * @returns a function that cancels the timer
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
