/** Options of subtitles that are taken out of videos. */
import { type OptionsOf, text } from '../../../catalogue/options.ts'

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
}

export type TrackOptions = OptionsOf<typeof trackOptions>
