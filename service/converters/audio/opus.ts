import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audioOptions } from './options.ts'

export default defineConverters({
  category: 'audio',
  source: 'opus',
  targets: ['aac', 'flac', 'm4a', 'mp3', 'ogg', 'wav'],
  engine: 'ffmpeg',
  costing: perMinute(5),
  options: audioOptions,
  load: () => import('./work.ts'),
  measure: () => import('./gauge.ts'),
})
