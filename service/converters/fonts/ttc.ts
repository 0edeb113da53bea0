import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'fonts',
  source: 'ttc',
  targets: ['ttf'],
  costing: fixed(1),
})
