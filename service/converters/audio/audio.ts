import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { LIMIT_MINUTES, modes, transcriptionOptions } from './transcribe-options.ts'

/** Transcription: speech in any recording, written down. */
export default defineConverters({
  category: 'audio',
  source: 'audio',
  targets: ['epub', 'markdown', 'pdf', 'srt', 'txt', 'vtt', 'word'],
  engine: 'speech',
  costing: perMinute(1, {
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
  }),
  options: transcriptionOptions,
  // A large model takes some gigabytes of memory and every core.
  limits: { minutes: LIMIT_MINUTES, concurrent: 1 },
  seconds: minutes => Math.max(600, minutes * 60 * 3),
  load: () => import('./transcribe.ts'),
  measure: () => import('./gauge.ts'),
})
