import { defineConverters, fixed } from '../../catalogue/converter.ts'
import { imageOptions } from '../images/options.ts'

export default defineConverters({
  category: 'documents',
  source: 'jpg',
  targets: ['pdf'],
  engine: 'pixels',
  costing: fixed(1),
  options: imageOptions,
  load: () => import('../images/raster.ts'),
})
