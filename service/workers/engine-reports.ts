import type { EngineReport } from '../engines/report.ts'

/**
 * Asks the engines what they are, and keeps the answer while nothing is missing from it: an engine that is installed later
 * is then found by the next question.
 */
export function rememberReports(ask: () => Promise<EngineReport[]>): () => Promise<EngineReport[]> {
  let known: Promise<EngineReport[]> | undefined
  const forget = () => {
    known = undefined
  }
  return () => {
    if (!known) {
      known = ask()
      known.then(reports => reports.every(({ available }) => available) || forget(), forget)
    }
    return known
  }
}
