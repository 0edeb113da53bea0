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

  // Compressions of Linux, and what else 7-Zip reads.
  { source: '7z', targets: ['tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: sevenZipOptions, load },
  { source: 'cpio', targets: ['tar', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'rar', targets: ['tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: protectableOptions, load },
  { source: 'tar', targets: ['tar-bz2', 'tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-bz2', targets: ['tar', 'tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-gz', targets: ['tar', 'tar-bz2', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-xz', targets: ['iso', 'tar', 'tar-gz', 'tar-zst', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-zst', targets: ['iso', 'tar', 'tar-gz', 'tar-xz', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'zip', targets: ['tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: protectableOptions, load },
])
