import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audiobookOptions, audioOptions } from './options.ts'
import { LIMIT_MINUTES, modes, transcriptionOptions } from './transcribe/options.ts'

const costing = perMinute(5)
const load = () => import('./work.ts')
const same = () => import('./same/work.ts')
const measure = () => import('./measure.ts')

/** The price of transcription depends on its mode. */
const transcriptionCosting = perMinute(1, {
  baseCost: 2,
  variants: {
    optionKey: 'transcription.mode',
    label: 'Mode',
    default: 'fast',
    variants: {
      fast: { cost: 2, label: modes.fast },
      quality: { cost: 5, label: modes.quality },
      'meeting-intelligence': { cost: 8, label: modes['meeting-intelligence'] },
    },
  },
})

// biome-ignore format: a table
export default defineConverters('audio', [
  { source: 'aac', targets: ['mp3', 'opus'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  {
    source: 'audio', targets: ['epub', 'markdown', 'pdf', 'srt', 'txt', 'vtt', 'word'],
    costing: transcriptionCosting, options: transcriptionOptions, engine: 'speech',
    limits: { minutes: LIMIT_MINUTES, concurrent: 1 }, seconds: minutes => Math.max(600, minutes * 60 * 3),
    load: () => import('./transcribe/work.ts'), measure,
  },
  { source: 'flac', targets: ['mp3', 'opus', 'wav'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  { source: 'm4a', targets: ['mp3', 'opus'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  { source: 'm4b', targets: ['m4a', 'mp3', 'ogg', 'wav'], costing, options: audiobookOptions, engine: 'ffmpeg', load, measure },
  { source: 'mp3', targets: ['aac', 'm4a', 'ogg', 'opus', 'wav'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  { source: 'ogg', targets: ['mp3', 'opus'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  { source: 'opus', targets: ['aac', 'flac', 'm4a', 'mp3', 'ogg', 'wav'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  { source: 'paf', targets: ['mp3', 'wav'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  { source: 'wav', targets: ['flac', 'mp3', 'opus'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },
  { source: 'wma', targets: ['mp3', 'wav'], costing, options: audioOptions, engine: 'ffmpeg', load, measure },

  // Smaller files of the same format.
  { source: 'm4a', targets: ['m4a'], extension: true, costing, options: audioOptions, engine: 'ffmpeg', load: same, measure },
  { source: 'mp3', targets: ['mp3'], extension: true, costing, options: audioOptions, engine: 'ffmpeg', load: same, measure },
])
