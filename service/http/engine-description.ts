import type { EngineReport, NamedReport } from '../engines/report.ts'
import { render } from '../messages/render.ts'

/** What an engine says of itself, in words. */
export type EngineDescription = Omit<EngineReport, 'hint'> & { hint: string | null }

export const describeEngine = ({ id: _, hint, ...report }: NamedReport): EngineDescription => ({
  ...report,
  hint: hint && render(hint),
})
