import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'fonts',
  source: 'ttc',
  targets: ['ttf'],
  engine: 'fonts',
  costing: fixed(1),
})
