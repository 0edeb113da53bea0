import { defineConverters, perPage } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'ebooks',
  source: 'pdf',
  targets: ['epub'],
  engine: 'ebooks',
  costing: perPage(5),
})
