import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'word',
  targets: ['jpg', 'pdf', 'pdfa', 'png'],
  engine: 'office',
  costing: perMegabyte(5),
})
