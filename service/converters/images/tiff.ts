import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'tiff',
  targets: ['jpg', 'pdf', 'png'],
  costing: perMegabyte(5),
  options: imageOptions,
})
