import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptionsOf } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'gif',
  targets: ['avif', 'jpg', 'png', 'webp'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptionsOf({ frames: true }),
  load: () => import('./raster.ts'),
})
