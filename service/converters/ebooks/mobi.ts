import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'ebooks',
  source: 'mobi',
  targets: ['epub'],
  costing: perMegabyte(5),
})
