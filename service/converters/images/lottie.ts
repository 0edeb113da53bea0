import { defineConverters, perPage } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'lottie',
  targets: ['apng', 'gif', 'jpg', 'png', 'webm', 'webp'],
  costing: perPage(100, { unit: 'frames' }),
  options: imageOptions,
})
