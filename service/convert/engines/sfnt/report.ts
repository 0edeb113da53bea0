import type { EngineReport } from '../report.ts'

export async function report(): Promise<EngineReport> {
  return { name: 'Font converter', version: null, available: true, hint: null }
}
