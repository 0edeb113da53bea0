import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: 'tar-bz2',
  targets: ['zip'],
  engine: 'archives',
  costing: perMegabyte(25),
})
