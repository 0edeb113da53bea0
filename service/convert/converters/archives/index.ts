import { defineConverters, perMegabyte } from '../../catalogue/converter.ts'
import { plainOptions, protectableOptions, sevenZipOptions } from './options.ts'

const costing = perMegabyte(25)
const engine = 'archives'
const load = () => import('./work.ts')

/** Seconds for the largest accepted archives, at the speed of bzip2. */
const seconds = 3600

// biome-ignore format: a table
export default defineConverters('archives', [
  { source: '7z', targets: ['iso', 'tar', 'zip'], costing, engine, seconds, options: sevenZipOptions, load },
  { source: 'rar', targets: ['iso', 'tar', 'zip'], costing, engine, seconds, options: protectableOptions, load },
  { source: 'tar', targets: ['iso', 'zip'], costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-bz2', targets: ['zip'], costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-gz', targets: ['zip'], costing, engine, seconds, options: plainOptions, load },
  { source: 'zip', targets: ['iso', 'tar', 'tar-bz2', 'tar-gz'], costing, engine, seconds, options: protectableOptions, load },

  // Compressions of Linux, 7z, and what else 7-Zip reads.
  { source: '7z', targets: ['contents', 'tar-gz', 'tar-xz', 'tar-zst'], likely: 'contents', extension: true, costing, engine, seconds, options: sevenZipOptions, load },
  { source: 'cab', targets: ['contents', '7z', 'tar', 'zip'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'cpio', targets: ['contents', '7z', 'tar', 'zip'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'deb', targets: ['contents', '7z', 'tar', 'tar-gz', 'zip'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'rar', targets: ['contents', '7z', 'tar-gz', 'tar-xz', 'tar-zst'], likely: 'contents', extension: true, costing, engine, seconds, options: protectableOptions, load },
  { source: 'tar', targets: ['contents', '7z', 'tar-bz2', 'tar-gz', 'tar-xz', 'tar-zst'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-bz2', targets: ['contents', '7z', 'tar', 'tar-gz', 'tar-xz', 'tar-zst'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-gz', targets: ['contents', '7z', 'tar', 'tar-bz2', 'tar-xz', 'tar-zst'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-xz', targets: ['contents', '7z', 'iso', 'tar', 'tar-gz', 'tar-zst', 'zip'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'tar-zst', targets: ['contents', '7z', 'iso', 'tar', 'tar-gz', 'tar-xz', 'zip'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load },
  { source: 'zip', targets: ['contents', '7z', 'tar-xz', 'tar-zst'], likely: 'contents', extension: true, costing, engine, seconds, options: protectableOptions, load },

  // Single files that are compressed.
  ...(['bz2', 'gz', 'xz', 'zst'] as const).map(source => (
    { source, targets: ['contents', 'zip', '7z', 'tar'], likely: 'contents', extension: true, costing, engine, seconds, options: plainOptions, load } as const
  )),
])
