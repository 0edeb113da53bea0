import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'psd',
  targets: ['jpg', 'png'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptions,
  load: () => import('./psd-work.ts'),
})
