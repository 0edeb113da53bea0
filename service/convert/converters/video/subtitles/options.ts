/** Options of subtitles that are taken out of videos, and of those that are pictures. */
import { group, type OptionsOf, text } from '../../../catalogue/options.ts'
import { languages } from '../../documents/options.ts'

const { default: _, ...anyLanguages } = languages

/** Of subtitles that are pictures. */
export const readingOptions = {
  ocr: group('Text recognition', {
    languages: {
      ...anyLanguages,
      description: 'Of subtitles that are pictures, such as eng or eng+deu. Left empty, that of the track.',
    },
  }),
}

export type ReadingOptions = OptionsOf<typeof readingOptions>

export const trackOptions = {
  track: text('Subtitle track', {
    description: '"default", a number counted from 1, a language such as "en", or "all", a file for each.',
    default: 'default',
    maxLength: 35,
    pattern: '^[A-Za-z0-9-]+$',
    'x-example': 'default, 2, en, all',
    'x-order': 1,
    'x-requires': { subtitles: 2 },
  }),
  ...readingOptions,
}

export type TrackOptions = OptionsOf<typeof trackOptions>
