import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'fonts',
  source: 'ttf',
  targets: ['otf', 'woff', 'woff2'],
  engine: 'fonts',
  costing: fixed(1),
})
