import type { NamedReport } from '../../convert/engines/common/report.ts'

/** How long a report with a missing engine is kept. An engine installed meanwhile is found after that. */
const INCOMPLETE_MS = 10_000

/** The engines' reports on themselves, collected in a worker on demand. */
export class EngineReports {
  readonly #ask: () => Promise<NamedReport[]>
  #answer: Promise<NamedReport[]> | undefined
  #until = Number.POSITIVE_INFINITY
  #unavailable: ReadonlySet<string> = new Set()

  constructor(ask: () => Promise<NamedReport[]>) {
    this.#ask = ask
  }

  /** Ids of the engines that were unavailable in the last report; empty before the first. */
  get unavailable(): ReadonlySet<string> {
    return this.#unavailable
  }

  /** Every engine's report. The engines are asked again only if one was missing or the query failed. */
  all(): Promise<NamedReport[]> {
    if (!this.#answer || performance.now() > this.#until) {
      this.#until = Number.POSITIVE_INFINITY
      this.#answer = this.#ask().then(
        reports => {
          this.#unavailable = new Set(reports.filter(({ available }) => !available).map(({ id }) => id))
          // One that works without a version is downloaded when it is needed.
          if (reports.some(({ available, version, hint }) => !available || (hint && !version)))
            this.#until = performance.now() + INCOMPLETE_MS
          return reports
        },
        error => {
          this.#answer = undefined
          throw error
        },
      )
    }
    return this.#answer
  }
}
