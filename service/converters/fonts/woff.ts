import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'fonts',
  source: 'woff',
  targets: ['otf', 'ttf', 'woff2'],
  engine: 'fonts',
  costing: fixed(1),
})
