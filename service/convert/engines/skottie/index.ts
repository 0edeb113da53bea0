import { createRequire } from 'node:module'
import type { EngineReport } from '../report.ts'

export { type LottieDocument, readLottie } from './document.ts'
export { type LottiePlayer, openPlayer } from './player.ts'
export { resampleFrames, type Timing } from './timing.ts'

/** Skottie comes with @napi-rs/canvas, prebuilt for every platform. */
export async function report(): Promise<EngineReport> {
  const { version } = createRequire(import.meta.url)('@napi-rs/canvas/package.json') as { version: string }
  return { name: 'Skottie (Lottie animations)', version, available: true, hint: null }
}
