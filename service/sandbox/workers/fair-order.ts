/**
 * Decides whose turn it is among those who wait: whoever was served longest ago goes first, so that a caller with many
 * tasks does not delay one with few.
 */
export class FairOrder {
  readonly #served = new Map<string, number>()
  #count = 0

  /** Records that somebody was served. */
  serve(who: string): void {
    this.#served.set(who, ++this.#count)
  }

  /** Sorts the tasks by turn; each caller's tasks keep their order and alternate with those of others. */
  order<Task extends { who: string }>(tasks: readonly Task[]): Task[] {
    const waiting = Map.groupBy(tasks, ({ who }) => who)
    // Callers without waiting tasks are forgotten.
    for (const who of this.#served.keys()) if (!waiting.has(who)) this.#served.delete(who)
    const queues = [...waiting]
      .toSorted(([a], [b]) => (this.#served.get(a) ?? 0) - (this.#served.get(b) ?? 0))
      .map(([, queue]) => queue)
    const rounds = Math.max(0, ...queues.map(queue => queue.length))
    return Array.from({ length: rounds }, (_, round) => queues.flatMap(queue => queue[round] ?? [])).flat()
  }
}
