import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: 'tar',
  targets: ['iso', 'zip'],
  engine: 'archives',
  costing: perMegabyte(25),
})
