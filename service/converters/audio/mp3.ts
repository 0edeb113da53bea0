import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audioOptions } from './options.ts'

export default defineConverters({
  category: 'audio',
  source: 'mp3',
  targets: ['aac', 'm4a', 'ogg', 'opus', 'wav'],
  engine: 'ffmpeg',
  costing: perMinute(5),
  options: audioOptions,
  load: () => import('./work.ts'),
  measure: () => import('./gauge.ts'),
})
