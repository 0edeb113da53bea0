export { type LottieDocument, readLottie } from './document.ts'
export { type LottiePlayer, openPlayer } from './player.ts'
export { resampleFrames, type Timing } from './timing.ts'
