import { defineConverters, perMinute } from '../../catalogue/converter.ts'
import { choice, flag, group } from '../../catalogue/options.ts'

const labels = { fast: 'Fast', quality: 'Quality', 'meeting-intelligence': 'Meeting' }

/** Transcription: speech in any recording, written down. */
export default defineConverters({
  category: 'audio',
  source: 'audio',
  targets: ['epub', 'markdown', 'pdf', 'srt', 'txt', 'vtt', 'word'],
  costing: perMinute(1, {
    baseCost: 2,
    variants: {
      optionKey: 'transcription.mode',
      label: 'Mode',
      default: 'fast',
      variants: {
        fast: { cost: 2, label: labels.fast },
        quality: { cost: 5, label: labels.quality },
        'meeting-intelligence': { cost: 8, label: labels['meeting-intelligence'] },
      },
    },
  }),
  options: {
    transcription: group('Transcription', {
      mode: choice('Mode', labels, { default: 'fast' }),
      includeSrt: flag('Also write subtitles (SRT)', { default: false }),
    }),
  },
  limits: { minutes: 300 },
  seconds: minutes => Math.max(600, minutes * 60 * 3),
})
