import { defineConverters, perPage } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'bank-statement',
  targets: ['excel'],
  targetKeys: { excel: 'bank-statement-excel' },
  engine: 'pdf',
  costing: perPage(5, { baseCost: 2 }),
})
