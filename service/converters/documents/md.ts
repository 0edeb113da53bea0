import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'md',
  targets: ['pdf'],
  costing: fixed(1),
})
