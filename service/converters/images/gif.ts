import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'gif',
  targets: ['avif', 'jpg', 'png', 'webp'],
  costing: perMegabyte(5),
  options: imageOptions,
})
