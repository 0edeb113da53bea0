import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'rtf',
  targets: ['pdf'],
  engine: 'office',
  costing: perMegabyte(5),
})
