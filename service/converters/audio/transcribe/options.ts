/** Options of transcription. */
import { choice, flag, group, type OptionProperties, text } from '../../../catalogue/options.ts'
import type { TranscriptionMode } from '../../../models/list.ts'
import type { TranscriptFormat } from '../transcript/index.ts'

/** Longest recording that is transcribed, in minutes. */
export const LIMIT_MINUTES = 300

/** The names of the modes, as prices and forms show them. */
export const modes: Record<TranscriptionMode, string> = {
  fast: 'Fast',
  quality: 'Quality',
  'meeting-intelligence': 'Meeting',
}

/** ISO 639 codes of languages that can be asked for: those Whisper writes down with few mistakes. */
export const languages: Record<string, string> = {
  auto: 'Recognise it',
  ...Object.fromEntries(
    [
      ...[
        'ar',
        'bg',
        'bs',
        'ca',
        'cs',
        'da',
        'de',
        'el',
        'en',
        'es',
        'et',
        'fi',
        'fr',
        'gl',
        'he',
        'hi',
        'hr',
        'hu',
      ],
      ...[
        'id',
        'it',
        'ja',
        'ko',
        'lt',
        'lv',
        'mk',
        'ms',
        'nl',
        'no',
        'pl',
        'pt',
        'ro',
        'ru',
        'sk',
        'sl',
        'sr',
        'sv',
      ],
      ...['ta', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'zh'],
    ].map(code => [code, new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code] as const),
  ),
}

/** Flags that ask for a further file, and the format each stands for. */
const further = {
  includeSrt: ['srt', 'Also write subtitles (SRT)'],
  includeVtt: ['vtt', 'Also write subtitles for the web (VTT)'],
  includeTxt: ['txt', 'Also write plain text'],
  includeMarkdown: ['markdown', 'Also write Markdown'],
  includeDocx: ['word', 'Also write a Word document'],
  includePdf: ['pdf', 'Also write a PDF'],
  includeEpub: ['epub', 'Also write an EPUB book'],
} as const satisfies Record<string, readonly [TranscriptFormat, string]>

export interface TranscriptionOptions extends Record<keyof typeof further, boolean> {
  mode: TranscriptionMode
  /** ISO 639 code, or `auto`. */
  language: string
  /** `default`, a number from 1, or a language. */
  track: string
}

export const transcriptionOptions: OptionProperties = {
  transcription: group('Transcription', {
    mode: choice('Mode', modes, {
      description:
        'Fast uses a small model, Quality the best one installed; Meeting adds a summary, possible action items and hints at who speaks.',
      default: 'fast',
    }),
    language: choice('Spoken language', languages, { default: 'auto' }),
    track: text('Audio track', {
      description: '"default", a number counted from 1, or a language such as "en".',
      default: 'default',
      maxLength: 35,
      pattern: '^[A-Za-z0-9-]+$',
    }),
    ...Object.fromEntries(
      Object.entries(further).map(([key, [, title]]) => [key, flag(title, { default: false })]),
    ),
  }),
}

/** Formats that are wanted beside the target. */
export const included = (target: string, options: TranscriptionOptions): TranscriptFormat[] =>
  (Object.keys(further) as (keyof typeof further)[]).flatMap(key => {
    const [format] = further[key]
    return options[key] && format !== target ? [format] : []
  })
