import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audioOptions } from './options.ts'

export default defineConverters({
  category: 'audio',
  source: 'wma',
  targets: ['mp3', 'wav'],
  engine: 'ffmpeg',
  costing: perMinute(5),
  options: audioOptions,
  load: () => import('./work.ts'),
  measure: () => import('./gauge.ts'),
})
