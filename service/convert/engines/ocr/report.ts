import { createRequire } from 'node:module'
import { message } from '../../../shared/messages/message.ts'
import type { EngineReport } from '../report.ts'

/** Tesseract is part of LiteParse, whose version is reported. */
export async function report(): Promise<EngineReport> {
  const name = 'Tesseract (text recognition)'
  try {
    await import('@llamaindex/liteparse')
    const { version } = createRequire(import.meta.url)('@llamaindex/liteparse/package.json') as {
      version: string
    }
    return { name, version, available: true, hint: null }
  } catch {
    return { name, version: null, available: false, hint: message('engines.reinstall') }
  }
}
