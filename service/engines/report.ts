import type { Message } from '../messages/message.ts'
import { render } from '../messages/render.ts'

/** What an engine says of itself in `/health`. Every engine adapter exports a `report()` that yields one. */
export interface EngineReport {
  name: string
  version: string | null
  available: boolean
  /** What to do when it is not available. */
  hint: Message | null
}

/** A report in words. */
export type EngineDescription = Omit<EngineReport, 'hint'> & { hint: string | null }

export const describeEngine = ({ hint, ...report }: EngineReport): EngineDescription => ({
  ...report,
  hint: hint && render(hint),
})
