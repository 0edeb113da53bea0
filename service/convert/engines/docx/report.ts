import type { EngineReport } from '../report.ts'

export async function report(): Promise<EngineReport> {
  return { name: 'Word reader', version: null, available: true, hint: null }
}
