import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptionsOf } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'ico',
  targets: ['png'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptionsOf({ sizes: true }),
  load: () => import('./icon.ts'),
})
