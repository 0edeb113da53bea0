import { message } from '../../../../shared/messages/message.ts'
import type { EngineReport } from '../../common/report.ts'
import { ffmpeg } from '../../media/ffmpeg/locate.ts'

/** Encoders that animated WebM and AVIF need, which not every build of ffmpeg has. */
const needed = ['libvpx-vp9', 'libaom-av1']

export async function report(): Promise<EngineReport> {
  const found = await ffmpeg().catch(() => undefined)
  const missing = needed.filter(encoder => !found?.encoders.has(encoder))
  return {
    name: 'ffmpeg encoders of animated WebM and AVIF',
    version: found?.version ?? null,
    available: missing.length === 0,
    hint: missing.length === 0 ? null : message('engines.ffmpeg_encoders', { encoders: missing.join(', ') }),
  }
}
