import type { EngineReport, NamedReport } from '../../convert/engines/common/report.ts'
import { render } from '../../shared/messages/render.ts'

/** An engine's report on itself, with its hint as text. */
export type EngineDescription = Omit<EngineReport, 'hint'> & { hint: string | null }

export const describeEngine = ({ id: _, hint, ...report }: NamedReport): EngineDescription => ({
  ...report,
  hint: hint && render(hint),
})
