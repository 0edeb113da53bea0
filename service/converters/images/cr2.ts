import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'cr2',
  targets: ['jpg', 'png'],
  engine: 'raw',
  costing: perMegabyte(5),
  options: imageOptions,
  load: () => import('./raw-work.ts'),
})
