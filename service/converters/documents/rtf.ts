import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'rtf',
  targets: ['pdf'],
  costing: perMegabyte(5),
})
