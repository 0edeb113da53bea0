import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'ebooks',
  source: 'epub',
  targets: ['azw3', 'docx', 'kepub', 'mobi'],
  engine: 'ebooks',
  costing: perMegabyte(5),
})
