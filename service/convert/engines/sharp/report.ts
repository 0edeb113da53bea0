import { message } from '../../../shared/messages/message.ts'
import type { EngineReport } from '../report.ts'

export async function report(): Promise<EngineReport> {
  try {
    const { sharp } = await import('./load.ts')
    return { name: 'sharp', version: sharp.versions.sharp ?? null, available: true, hint: null }
  } catch {
    return {
      name: 'sharp',
      version: null,
      available: false,
      hint: message('engines.reinstall_for_platform'),
    }
  }
}
