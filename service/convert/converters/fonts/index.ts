import { defineConverters, fixed } from '../../catalogue/converter.ts'

const costing = fixed(1)
const load = () => import('./work.ts')

// biome-ignore format: a table
export default defineConverters('fonts', [
  { source: 'otf', targets: ['ttf', 'woff', 'woff2'], likely: 'ttf', costing, engine: 'fonts', load },
  { source: 'ttc', targets: ['ttf'], likely: 'ttf', costing, engine: 'fonts', load },
  { source: 'ttf', targets: ['otf', 'woff', 'woff2'], likely: 'woff2', costing, engine: 'fonts', load },
  { source: 'woff', targets: ['otf', 'ttf', 'woff2'], likely: 'ttf', costing, engine: 'fonts', load },
  { source: 'woff2', targets: ['otf', 'ttf', 'woff'], likely: 'ttf', costing, engine: 'fonts', load },
])
