import { createRequire } from 'node:module'
import type { EngineReport } from '../report.ts'

/** resvg comes prebuilt for every platform. */
export async function report(): Promise<EngineReport> {
  const { version } = createRequire(import.meta.url)('@resvg/resvg-js/package.json') as { version: string }
  return { name: 'resvg (SVG drawings)', version, available: true, hint: null }
}
