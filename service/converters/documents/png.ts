import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'png',
  targets: ['pdf'],
  costing: fixed(1),
})
