import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { EngineReport } from '../report.ts'
import { loadPdfium } from './library.ts'
import { locatePdfium } from './locate.ts'

/** PDFium reports no version of its own, so the one of LiteParse, which contains it, is given. */
export async function report(): Promise<EngineReport> {
  const name = 'PDFium (PDF pages)'
  try {
    await loadPdfium()
    return { name, version: locatePdfium()?.version ?? null, available: true, hint: null }
  } catch (error) {
    const hint = error instanceof JobFailure ? error.reason : message('engines.reinstall')
    return { name, version: null, available: false, hint }
  }
}
