import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audioOptions } from './options.ts'

export default defineConverters({
  category: 'audio',
  source: 'wav',
  targets: ['flac', 'mp3', 'opus'],
  engine: 'ffmpeg',
  costing: perMinute(5),
  options: audioOptions,
  load: () => import('./work.ts'),
  measure: () => import('./gauge.ts'),
})
