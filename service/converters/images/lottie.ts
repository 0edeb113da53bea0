import { defineConverters, perPage } from '../../catalogue/converter.ts'
import { lottieOptions } from './lottie-options.ts'

export default defineConverters({
  category: 'images',
  source: 'lottie',
  targets: ['apng', 'gif', 'jpg', 'png', 'webm', 'webp'],
  engine: 'drawing',
  costing: perPage(100, { unit: 'frames' }),
  options: lottieOptions,
  load: () => import('./lottie-work.ts'),
  measure: () => import('./lottie-work.ts'),
})
