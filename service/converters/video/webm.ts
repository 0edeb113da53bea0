import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { videoOptions } from '../audio/options.ts'

export default defineConverters({
  category: 'video',
  source: 'webm',
  targets: ['mp3', 'wav'],
  engine: 'ffmpeg',
  costing: perMinute(5),
  options: videoOptions,
  load: () => import('../audio/work.ts'),
  measure: () => import('../audio/gauge.ts'),
})
