import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'ebooks',
  source: 'azw3',
  targets: ['epub'],
  costing: perMegabyte(5),
})
