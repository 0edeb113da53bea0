/** Collects items that arrive in a burst and passes them on once per frame. */
export interface Batcher<T> {
  add(item: T): void
  /** Passes on at once what is waiting. */
  flush(): void
}

/** A hidden page gets no animation frames; a timer keeps its state up to date. */
export function onNextFrame(run: () => void): void {
  if (document.visibilityState === 'visible') requestAnimationFrame(run)
  else setTimeout(run, 250)
}

export function createBatcher<T>(
  deliver: (items: T[]) => void,
  schedule: (run: () => void) => void = onNextFrame,
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
