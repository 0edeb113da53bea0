import { defineConverters, fixed } from '../../catalogue/converter.ts'

const costing = fixed(1)
const load = () => import('./work.ts')

// biome-ignore format: a table
export default defineConverters('fonts', [
  { source: 'otf', targets: ['ttf'], costing, engine: 'fonts' },
  { source: 'otf', targets: ['woff', 'woff2'], costing, engine: 'fonts', load },
  { source: 'ttc', targets: ['ttf'], costing, engine: 'fonts' },
  { source: 'ttf', targets: ['otf'], costing, engine: 'fonts' },
  { source: 'ttf', targets: ['woff', 'woff2'], costing, engine: 'fonts', load },
  { source: 'woff', targets: ['otf', 'ttf'], costing, engine: 'fonts' },
  { source: 'woff', targets: ['woff2'], costing, engine: 'fonts', load },
  { source: 'woff2', targets: ['otf', 'ttf'], costing, engine: 'fonts' },
  { source: 'woff2', targets: ['woff'], costing, engine: 'fonts', load },
])
