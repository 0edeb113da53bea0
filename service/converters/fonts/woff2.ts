import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'fonts',
  source: 'woff2',
  targets: ['otf', 'ttf', 'woff'],
  engine: 'fonts',
  costing: fixed(1),
})
