import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: 'rar',
  targets: ['iso', 'tar', 'zip'],
  costing: perMegabyte(25),
})
