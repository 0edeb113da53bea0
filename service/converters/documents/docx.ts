import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'docx',
  targets: ['epub', 'md', 'pdf', 'pdfa'],
  engine: 'office',
  costing: perMegabyte(5),
})
