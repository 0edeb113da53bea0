/** Options of transcription. */
import { languageName } from '../../../../shared/messages/language-name.ts'
import { choice, flag, group, type OptionsOf, text } from '../../../catalogue/options.ts'
import type { TranscriptionMode } from '../../../models/list.ts'
import { track } from '../options.ts'
import { isTranscriptFormat, type TranscriptFormat, transcriptFormats } from '../transcript/formats.ts'

/** Longest media file that is transcribed, in minutes. */
export const LIMIT_MINUTES = 300

/** Names of the modes in prices and forms. */
export const modes: Record<TranscriptionMode, string> = {
  fast: 'Fast',
  quality: 'Quality',
  'meeting-intelligence': 'Meeting',
}

/** ISO 639 codes of the languages on offer: those that Whisper transcribes with few mistakes. */
const CODES =
  'ar bg bs ca cs da de el en es et fi fr gl he hi hr hu id it ja ko lt lv mk ms nl no pl pt ro ru sk sl sr sv ta th tl tr uk ur vi zh'

export const languages: Record<string, string> = {
  auto: 'Recognise it',
  ...Object.fromEntries(CODES.split(' ').map(code => [code, languageName(code)])),
}

const asked = (title: string) => flag(title, { default: false })

/** Each requests an additional file. */
const further = Object.fromEntries(
  Object.values(transcriptFormats).map(({ include, title }) => [include, asked(title)]),
) as Record<(typeof transcriptFormats)[TranscriptFormat]['include'], ReturnType<typeof asked>>

export const transcriptionOptions = {
  transcription: group('Transcription', {
    mode: choice('Mode', modes, {
      description:
        'Fast uses a small model, Quality the best one installed (without any, it does no better than Fast); Meeting writes the same text as Quality and names no speakers.',
      default: 'fast',
      'x-order': 1,
    }),
    language: choice('Spoken language', languages, { default: 'auto', 'x-order': 2 }),
    prompt: text('Names and terms', {
      description:
        'Words that are said and hard to guess, to be spelled so, such as names. They need a speech model.',
      maxLength: 1000,
      'x-example': 'Ahab, Pequod, Nantucket',
    }),
    track,
    ...further,
  }),
}

export type TranscriptionOptions = OptionsOf<typeof transcriptionOptions>['transcription']

/** Formats to write: the target, and the additional ones. */
export function formatsOf(target: TranscriptFormat, options: TranscriptionOptions): TranscriptFormat[] {
  const all = Object.keys(transcriptFormats).filter(isTranscriptFormat)
  return [...new Set([target, ...all.filter(format => options[transcriptFormats[format].include])])]
}
