import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { imageOptions } from './options.ts'

export default defineConverters({
  category: 'images',
  source: 'pict',
  targets: ['avif', 'bmp', 'jpg', 'pdf', 'png', 'tiff', 'webp'],
  engine: 'pixels',
  costing: perMegabyte(5),
  options: imageOptions,
  load: () => import('./pict-work.ts'),
})
