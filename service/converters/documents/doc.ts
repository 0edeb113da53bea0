import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'doc',
  targets: ['pdf', 'pdfa'],
  costing: perMegabyte(5),
})
