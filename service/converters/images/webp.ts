import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptionsOf } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'webp',
  targets: ['avif', 'gif', 'jpg', 'png'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptionsOf({ frames: true }),
  load: () => import('./raster.ts'),
})
