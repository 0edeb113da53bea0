import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'ebooks',
  source: 'mobi',
  targets: ['epub'],
  engine: 'ebooks',
  costing: perMegabyte(5),
})
