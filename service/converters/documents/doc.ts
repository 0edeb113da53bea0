import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'doc',
  targets: ['pdf', 'pdfa'],
  engine: 'office',
  costing: perMegabyte(5),
})
