import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audioOptions } from '../audio/options.ts'

export default defineConverters({
  category: 'video',
  source: 'avi',
  targets: ['mp3', 'wav'],
  costing: perMinute(5),
  options: audioOptions,
})
