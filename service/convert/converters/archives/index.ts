import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { plainOptions, protectableOptions, sevenZipOptions } from './options.ts'

const costing = perMegabyte(25)
const engine = 'archives'
const load = () => import('./work.ts')

/** Seconds for the largest accepted archives, at the speed of bzip2. */
const seconds = 3600

// biome-ignore format: a table
export default defineConverters('archives', [
  { source: '7z', targets: ['iso', 'tar', 'zip'], likely: 'zip', costing, engine, seconds, options: sevenZipOptions, load },
  { source: 'rar', targets: ['iso', 'tar', 'zip'], likely: 'zip', costing, engine, seconds, options: protectableOptions, load },
  { source: 'tar', targets: ['iso', 'zip'], likely: 'zip', costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-bz2', targets: ['zip'], likely: 'zip', costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-gz', targets: ['zip'], likely: 'zip', costing, engine, seconds, options: plainOptions, load },
  { source: 'zip', targets: ['iso', 'tar', 'tar-bz2', 'tar-gz'], costing, engine, seconds, options: protectableOptions, load },
])
