import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptionsOf } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'svg',
  targets: ['jpg', 'png'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptionsOf({ drawing: true }),
  load: () => import('./drawing.ts'),
})
