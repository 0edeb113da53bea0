import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'fonts',
  source: 'otf',
  targets: ['ttf', 'woff', 'woff2'],
  engine: 'fonts',
  costing: fixed(1),
})
