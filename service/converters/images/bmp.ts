import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'bmp',
  targets: ['jpg', 'png'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptions,
  load: () => import('./bitmap.ts'),
})
