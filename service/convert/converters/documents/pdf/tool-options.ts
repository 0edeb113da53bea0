/** Options of a PDF that becomes another PDF. */
import { choice, flag, group, number, type OptionsOf, text } from '../../../catalogue/options.ts'
import { targetSize } from '../../images/options.ts'
import { pages } from '../../page-options.ts'
import { password, rebuild } from '../options.ts'
import { stepOptions } from './tool-steps.ts'

export const pdfToolOptions = {
  compression: choice(
    'Compression',
    { none: 'Keep pictures as they are', best: 'Best quality', balanced: 'Balanced', small: 'Small' },
    {
      description:
        'Pictures get at most 300, 150 or 100 pixels per inch of paper. Nothing else loses quality.',
      default: 'best',
      'x-affects-size': true,
      'x-words': { small: 'small', balanced: 'balanced', best: 'best' },
      'x-order': 1,
    },
  ),
  targetSize: {
    ...targetSize,
    'x-presets': [200, 500, 1000, 5000],
    'x-when': { split: ['none'] },
    'x-order': 1,
  },
  pages: {
    ...pages,
    description:
      'Pages to keep, in this order, such as 3,1-2,last,odd,even or 5- (from page 5 on). By default all of them.',
    'x-example': '3,1-2',
    'x-order': 2,
    'x-control': 'cuts' as const,
  },
  leaveOut: text('Pages to leave out', {
    pattern: pages.pattern!,
    maxLength: pages.maxLength,
    'x-example': '1-3,7',
    'x-requires': { pages: 2 },
    'x-per-file': true,
  }),
  leaveOutBlank: flag('Leave out blank pages', {
    description: 'Also scanned ones with specks of dust.',
    default: false,
    'x-requires': { pages: 2 },
  }),
  reverse: flag('Last page first', { default: false, 'x-requires': { pages: 2 } }),
  split: choice(
    'Split',
    {
      none: 'One file',
      pages: 'A file for each page',
      ranges: 'A file for each part of Pages, such as 1-3',
      bookmarks: 'A file for each bookmark of the highest level',
      size: 'Files of at most a size',
    },
    { default: 'none', 'x-order': 3, 'x-requires': { pages: 2 } },
  ),
  partSize: number('Size of each file', {
    description: 'A page that is larger by itself becomes a file alone.',
    default: 10,
    minimum: 0.05,
    maximum: 1000,
    'x-unit': 'MB',
    'x-presets': [5, 10, 20, 25],
    'x-when': { split: ['size'] },
    'x-order': 3,
  }),
  ...stepOptions,
  newPassword: text('New password', {
    description: 'The result only opens with it. Without one it opens without a password.',
    maxLength: 127,
    'x-secret': true,
  }),
  allow: group('Allowed without a password', {
    printing: flag('Printing', { default: true }),
    copying: flag('Copying text and pictures', { default: true }),
    changing: flag('Changing the file', { default: true }),
  }),
  rebuild,
  password,
}

export type PdfToolOptions = OptionsOf<typeof pdfToolOptions>
