import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

export default defineConverters({
  category: 'archives',
  source: 'tar-gz',
  targets: ['zip'],
  costing: perMegabyte(25),
})
