import type { Message } from '../messages/message.ts'

/** What an engine says of itself, under its key in `engineReports`. */
export interface NamedReport extends EngineReport {
  id: string
}

/** What an engine says of itself in `/health`. Every engine adapter exports a `report()` that yields one. */
export interface EngineReport {
  name: string
  version: string | null
  available: boolean
  /** What to do when it is not available. */
  hint: Message | null
}
