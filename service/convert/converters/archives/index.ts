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

  // Compressions of Linux, 7z, and what else 7-Zip reads.
  { source: '7z', targets: ['tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: sevenZipOptions, load },
  { source: 'cab', targets: ['7z', 'tar', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'cpio', targets: ['7z', 'tar', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'deb', targets: ['7z', 'tar', 'tar-gz', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'rar', targets: ['7z', 'tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: protectableOptions, load },
  { source: 'tar', targets: ['7z', 'tar-bz2', 'tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-bz2', targets: ['7z', 'tar', 'tar-gz', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-gz', targets: ['7z', 'tar', 'tar-bz2', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-xz', targets: ['7z', 'iso', 'tar', 'tar-gz', 'tar-zst', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-zst', targets: ['7z', 'iso', 'tar', 'tar-gz', 'tar-xz', 'zip'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'zip', targets: ['7z', 'tar-xz', 'tar-zst'], extension: true, costing, engine, seconds, options: protectableOptions, load },

  // Single files that are compressed.
  ...(['bz2', 'gz', 'xz', 'zst'] as const).map(source => (
    { source, targets: ['zip', '7z', 'tar'], likely: 'zip', extension: true, costing, engine, seconds, options: plainOptions, load } as const
  )),
])
