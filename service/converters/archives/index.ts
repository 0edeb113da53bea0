import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'

const costing = perMegabyte(25)

// biome-ignore format: a table
export default defineConverters('archives', [
  { source: '7z', targets: ['iso', 'tar', 'zip'], costing, engine: 'archives' },
  { source: 'rar', targets: ['iso', 'tar', 'zip'], costing, engine: 'archives' },
  { source: 'tar', targets: ['iso', 'zip'], costing, engine: 'archives' },
  { source: 'tar-bz2', targets: ['zip'], costing, engine: 'archives' },
  { source: 'tar-gz', targets: ['zip'], costing, engine: 'archives' },
  { source: 'zip', targets: ['iso', 'tar', 'tar-bz2', 'tar-gz'], costing, engine: 'archives' },
])
