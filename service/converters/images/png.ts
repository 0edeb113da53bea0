import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptionsOf } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'png',
  targets: ['avif', 'ico', 'jpg', 'webp'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptionsOf({ frames: true }),
  load: () => import('./raster.ts'),
})
