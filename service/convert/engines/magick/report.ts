import { message } from '../../../shared/messages/message.ts'
import type { EngineReport } from '../report.ts'
import { magickVersion } from './tiff.ts'

export async function report(): Promise<EngineReport> {
  const version = await magickVersion()
  return {
    name: 'ImageMagick (WebAssembly)',
    version,
    available: version !== null,
    hint: version === null ? message('engines.reinstall') : null,
  }
}
