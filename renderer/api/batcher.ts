/** Collects items that arrive in a burst and passes them on together. */
export interface Batcher<T> {
  add(item: T): void
  /** Passes on at once what is waiting. */
  flush(): void
}

/** A hidden page gets no animation frames; a timer keeps its state up to date. */
function onNextFrame(run: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(run)
  else setTimeout(run, 250)
}

/** How much longer the page rests than it has worked, so that at most a tenth of its time goes into showing progress. */
const REST = 9
/** How long news may wait however much work they are. */
const LONGEST_REST_MS = 1_500

interface PaceDeps {
  frame: (run: () => void) => void
  later: (run: () => void, ms: number) => unknown
  now: () => number
}

/**
 * A schedule that runs at the next frame, and rests after long work: of a few files every frame shows the progress, of thousands
 * each change takes longer to draw than a frame lasts, and comes less often.
 */
export function createPace({ frame, later, now }: PaceDeps): (run: () => void) => void {
  let restUntil = 0
  /** What came while it is not known yet how long the work took; null at other times. */
  let held: (() => void)[] | null = null
  const schedule = (run: () => void): void => {
    if (held) {
      held.push(run)
      return
    }
    const wait = restUntil - now()
    if (wait > 0) later(() => frame(() => work(run)), wait)
    else frame(() => work(run))
  }
  const work = (run: () => void): void => {
    // Several at one frame are one piece of work.
    if (held) {
      run()
      return
    }
    held = []
    const start = now()
    // What React draws of it is over when the next task begins.
    later(() => {
      const end = now()
      restUntil = end + Math.min(LONGEST_REST_MS, REST * (end - start))
      const next = held ?? []
      held = null
      next.forEach(schedule)
    }, 0)
    run()
  }
  return schedule
}

/** One for all that arrives, since all of it is drawn by one page. */
const pace = createPace({
  frame: onNextFrame,
  later: (run, ms) => setTimeout(run, ms),
  now: () => performance.now(),
})

export function createBatcher<T>(
  deliver: (items: T[]) => void,
  schedule: (run: () => void) => void = pace,
): Batcher<T> {
  let waiting: T[] = []
  let scheduled = false
  const flush = () => {
    scheduled = false
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    deliver(items)
  }
  return {
    add(item) {
      waiting.push(item)
      if (scheduled) return
      scheduled = true
      schedule(flush)
    },
    flush,
  }
}
