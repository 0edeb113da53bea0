import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'xlsx',
  targets: ['pdf', 'pdfa'],
  engine: 'office',
  costing: perMegabyte(5),
})
