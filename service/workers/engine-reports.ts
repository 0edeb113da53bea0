import type { NamedReport } from '../engines/report.ts'

/** How long an answer is kept from which something is missing: an engine installed meanwhile is found after that. */
const INCOMPLETE_MS = 10_000

/** What the engines say of themselves, asked in a worker when somebody wants to know. */
export class EngineReports {
  readonly #ask: () => Promise<NamedReport[]>
  #answer: Promise<NamedReport[]> | undefined
  #until = Number.POSITIVE_INFINITY
  #unavailable: ReadonlySet<string> = new Set()

  constructor(ask: () => Promise<NamedReport[]>) {
    this.#ask = ask
  }

  /** Ids of the engines that were not available when they were last asked; none before. */
  get unavailable(): ReadonlySet<string> {
    return this.#unavailable
  }

  /** Every engine's report. They are asked again only when something was missing, or the question failed. */
  all(): Promise<NamedReport[]> {
    if (!this.#answer || performance.now() > this.#until) {
      this.#until = Number.POSITIVE_INFINITY
      this.#answer = this.#ask().then(
        reports => {
          this.#unavailable = new Set(reports.filter(({ available }) => !available).map(({ id }) => id))
          if (this.#unavailable.size > 0) this.#until = performance.now() + INCOMPLETE_MS
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
