import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { audiobookOptions, audioOptions, audioTargets } from './options.ts'
import { LIMIT_MINUTES, modes, transcriptionOptions } from './transcribe/options.ts'
import { isTranscriptFormat, transcriptFormats } from './transcript/formats.ts'

const costing = perMinute(5)
const load = () => import('./work.ts')
const same = () => import('./same/work.ts')
const part = () => import('./part.ts')
const measure = () => import('./measure.ts')
const joined = () => import('./joined/work.ts')
/** Adds up the minutes of several media files. */
const minutes = () => import('./joined/measure.ts')

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

// biome-ignore format: as in the table
const transcription = {
  source: 'audio', costing: transcriptionCosting, options: transcriptionOptions, engine: 'speech',
  limits: { minutes: LIMIT_MINUTES, concurrent: 1 }, seconds: (minutes: number) => Math.max(600, minutes * 60 * 3),
  load: () => import('./transcribe/work.ts'), measure,
} as const
const transcripts = Object.keys(transcriptFormats).filter(isTranscriptFormat)

// biome-ignore format: a table
const rows = defineConverters('audio', [
  { source: 'aac', targets: ['mp3', 'opus'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { ...transcription, targets: transcripts.filter(target => target !== 'json'), names: { docx: 'word', md: 'markdown' } },
  { source: 'flac', targets: ['mp3', 'opus', 'wav'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'm4a', targets: ['mp3', 'opus'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'm4b', targets: ['m4a', 'mp3', 'ogg', 'wav'], likely: 'mp3', costing, options: audiobookOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'mp3', targets: ['aac', 'm4a', 'ogg', 'opus', 'wav'], likely: 'wav', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'ogg', targets: ['mp3', 'opus'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'opus', targets: ['aac', 'flac', 'm4a', 'mp3', 'ogg', 'wav'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'paf', targets: ['mp3', 'wav'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'wav', targets: ['flac', 'mp3', 'opus'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },
  { source: 'wma', targets: ['mp3', 'wav'], likely: 'mp3', costing, options: audioOptions, engine: 'ffmpeg', load, part, measure },

  { ...transcription, targets: ['json'], extension: true },

  // Smaller files of the same format.
  { source: 'm4a', targets: ['m4a'], extension: true, costing, options: audioOptions, engine: 'ffmpeg', load: same, part, measure },
  { source: 'mp3', targets: ['mp3'], extension: true, costing, options: audioOptions, engine: 'ffmpeg', load: same, part, measure },

  // One media file of several.
  { source: 'recordings', targets: audioTargets.filter(target => target !== 'm4r'), likely: 'mp3', extension: true, costing, options: audioOptions, engine: 'ffmpeg', load: joined, measure: minutes, seconds: 1800 },
])

const sources = ['aac', 'flac', 'm4a', 'm4b', 'mp3', 'ogg', 'opus', 'paf', 'wav', 'wma'] as const
/** Those that no pair of the contract reads. */
const read = ['ac3', 'aiff', 'amr', 'caf', 'dsf', 'm4r', 'mka', 'tta', 'weba', 'wv'] as const

/** Each media file becomes every kind of media file. */
const others = [...sources, ...read].flatMap(source =>
  defineConverters('audio', [
    {
      source,
      targets: audioTargets.filter(
        target => target !== source && !rows.some(row => row.source === source && row.target === target),
      ),
      ...(read.some(each => each === source) ? { likely: 'mp3' as const } : {}),
      ...{ extension: true, costing, engine: 'ffmpeg', load, part, measure },
      options: source === 'm4b' ? audiobookOptions : audioOptions,
    },
  ]),
)

export default [...rows, ...others]
