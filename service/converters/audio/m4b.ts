import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audiobookOptions } from './options.ts'

export default defineConverters({
  category: 'audio',
  source: 'm4b',
  targets: ['m4a', 'mp3', 'ogg', 'wav'],
  engine: 'ffmpeg',
  costing: perMinute(5),
  options: audiobookOptions,
  load: () => import('./work.ts'),
  measure: () => import('./gauge.ts'),
})
