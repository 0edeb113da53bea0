import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: 'zip',
  targets: ['iso', 'tar', 'tar-bz2', 'tar-gz'],
  engine: 'archives',
  costing: perMegabyte(25),
})
