import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { videoOptions } from '../audio/options.ts'

const costing = perMinute(5)
const targets = ['mp3', 'wav'] as const
const load = () => import('../audio/work.ts')
const measure = () => import('../audio/measure.ts')

// biome-ignore format: a table
export default defineConverters('video', [
  { source: 'avi', targets, costing, options: videoOptions, engine: 'ffmpeg', load, measure },
  { source: 'mkv', targets, costing, options: videoOptions, engine: 'ffmpeg', load, measure },
  { source: 'mov', targets, costing, options: videoOptions, engine: 'ffmpeg', load, measure },
  { source: 'mp4', targets, costing, options: videoOptions, engine: 'ffmpeg', load, measure },
  { source: 'webm', targets, costing, options: videoOptions, engine: 'ffmpeg', load, measure },
])
