import { createRequire } from 'node:module'
import { message } from '../../messages/message.ts'
import type { EngineReport } from '../report.ts'
import { pdfium } from './library.ts'

/** PDFium tells no version of its own: it has that of the package that carries it. */
export async function report(): Promise<EngineReport> {
  let version: string | null = null
  try {
    pdfium()
    const { version: found } = createRequire(import.meta.url)('@llamaindex/liteparse/package.json') as {
      version: string
    }
    version = found
  } catch {}
  return {
    name: 'PDFium (text and structure)',
    version,
    available: version !== null,
    hint: version === null ? message('engines.reinstall') : null,
  }
}
