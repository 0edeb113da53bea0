import { createRequire } from 'node:module'
import { message } from '../../../shared/messages/message.ts'
import type { EngineReport } from '../report.ts'

/** The version is that of the package with Tesseract's WebAssembly. */
export async function report(): Promise<EngineReport> {
  const name = 'Tesseract (text recognition)'
  try {
    const { version } = createRequire(import.meta.url)('tesseract.js-core/package.json') as {
      version: string
    }
    return { name, version, available: true, hint: null }
  } catch {
    return { name, version: null, available: false, hint: message('engines.reinstall') }
  }
}
