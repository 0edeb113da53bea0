import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: '7z',
  targets: ['iso', 'tar', 'zip'],
  engine: 'archives',
  costing: perMegabyte(25),
})
