import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'ebooks',
  source: 'epub',
  targets: ['azw3', 'docx', 'kepub', 'mobi'],
  costing: perMegabyte(5),
})
