import type { Message } from '../../shared/messages/message.ts'

/** An engine's report with its key in `engineReports`. */
export interface NamedReport extends EngineReport {
  id: string
}

/** An engine's entry in `/health`. Every engine adapter exports a `report()` that returns one. */
export interface EngineReport {
  name: string
  version: string | null
  available: boolean
  /** What to do if it is not available. */
  hint: Message | null
}
