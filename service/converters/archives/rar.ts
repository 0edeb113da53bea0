import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: 'rar',
  targets: ['iso', 'tar', 'zip'],
  engine: 'archives',
  costing: perMegabyte(25),
})
