import type { EngineReport } from './report.ts'

/** Every engine's report, loaded only when asked for, in a worker. */
export const engineReports: Record<string, () => Promise<EngineReport>> = {
  ffmpeg: async () => (await import('./ffmpeg/locate.ts')).report(),
  psd: async () => (await import('./psd/index.ts')).report(),
}
