import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: 'tar',
  targets: ['iso', 'zip'],
  costing: perMegabyte(25),
})
