import { defineConverters, fixed } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'md',
  targets: ['pdf'],
  engine: 'pdf',
  costing: fixed(1),
})
