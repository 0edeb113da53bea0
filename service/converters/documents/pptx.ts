import { defineConverters, perPage } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'documents',
  source: 'pptx',
  targets: ['jpg', 'pdf', 'pdfa', 'png'],
  engine: 'office',
  costing: perPage(5, { unit: 'slides' }),
})
