/** Options of several files that become one PDF, or that are used together. */
import { choice, flag, integer, type OptionsOf } from '../../../catalogue/options.ts'
import { accessible, password, rebuild } from '../options.ts'
import { FLATTENING, PLACES, pagesTo } from './tool-steps.ts'

const { diagonal: _, ...places } = PLACES

const SHARE = {
  default: 100,
  minimum: 1,
  maximum: 100,
  'x-unit': '%',
  'x-control': 'slider' as const,
  'x-when': { combine: ['stamp'] },
}

export const joinOptions = {
  combine: choice(
    'What becomes of them',
    {
      join: 'One PDF with the pages of all',
      stamp: 'The first one over or under the pages of the others',
      attach: 'The first one, with the others attached',
      fill: 'The first one, a form, filled in from the others (CSV, JSON, Excel)',
      compare: 'The differences between two of them',
    },
    { default: 'join', 'x-order': 1 },
  ),
  bookmarks: flag('Bookmarks', {
    description: 'One for each file, with its own below.',
    default: true,
    'x-when': { combine: ['join'] },
  }),
  layer: choice(
    'Layer',
    { over: 'Over the pages', under: 'Under the pages' },
    {
      description: 'Its first page on the first one, and so on; its last one on all that follow.',
      default: 'over',
      'x-when': { combine: ['stamp'] },
      'x-order': 2,
    },
  ),
  place: choice('Place', places, { default: 'centre', 'x-when': { combine: ['stamp'] }, 'x-order': 3 }),
  size: integer('Size', {
    description: 'How much of the page it may take.',
    ...SHARE,
    'x-order': 4,
  }),
  opacity: integer('Opacity', SHARE),
  pages: { ...pagesTo('Pages to stamp'), 'x-when': { combine: ['stamp'] } },
  flatten: flag('Flatten form fields and comments', {
    ...FLATTENING,
    'x-when': { combine: ['fill'] },
  }),
  accessible: { ...accessible, 'x-when': { combine: ['join'] } },
  rebuild,
  password,
}

export type JoinOptions = OptionsOf<typeof joinOptions>
