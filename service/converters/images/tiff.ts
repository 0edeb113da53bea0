import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptionsOf } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'tiff',
  targets: ['jpg', 'pdf', 'png'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptionsOf({ pages: true }),
  load: () => import('./tiff-pages.ts'),
})
