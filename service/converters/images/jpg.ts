import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'jpg',
  targets: ['avif', 'ico', 'png', 'webp'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptions,
  load: () => import('./raster.ts'),
})
