/** Options of a PDF that becomes another PDF. */
import { choice, group, integer, number, type OptionsOf, text } from '../../../catalogue/options.ts'
import type { StampPlace } from '../../../engines/pdf/edit/index.ts'
import { pages, targetSize } from '../../images/options.ts'
import { password, rebuild } from '../options.ts'

/** Pages that something else is done to, which comes after what is done to all. */
const { 'x-order': _, ...somePages } = pages

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
  },
  leaveOut: text('Pages to leave out', {
    pattern: pages.pattern!,
    maxLength: pages.maxLength,
    'x-example': '1-3,7',
    'x-requires': { pages: 2 },
    'x-per-file': true,
  }),
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
  rotate: choice(
    'Rotate',
    { none: 'Keep', right: 'Clockwise', half: 'Upside down', left: 'Anticlockwise' },
    { default: 'none', 'x-order': 4 },
  ),
  rotatePages: {
    ...somePages,
    title: 'Pages to rotate',
    description:
      'Counted as in the file, such as 1-3,7,last,odd,even or 5- (from page 5 on). By default all of them.',
    'x-when': { rotate: ['right', 'half', 'left'] },
  },
  pageNumbers: choice(
    'Page numbers',
    { none: 'None', left: 'On the left', centre: 'In the middle', right: 'On the right' },
    { description: 'Written at the foot of each page, from 1 on.', default: 'none' },
  ),
  stamp: group('Stamp', {
    text: text('Text', {
      description: 'Written over the pages, such as DRAFT. Left empty, nothing is.',
      maxLength: 200,
    }),
    place: choice<StampPlace>(
      'Place',
      {
        diagonal: 'From corner to corner',
        centre: 'In the middle',
        'top-left': 'Top left',
        'top-centre': 'Top',
        'top-right': 'Top right',
        'bottom-left': 'Bottom left',
        'bottom-centre': 'Bottom',
        'bottom-right': 'Bottom right',
      },
      { default: 'diagonal' },
    ),
    size: integer('Size', {
      description: 'Smaller where the page has less room.',
      default: 64,
      minimum: 4,
      maximum: 400,
      'x-unit': 'pt',
    }),
    opacity: integer('Opacity', {
      default: 25,
      minimum: 1,
      maximum: 100,
      'x-unit': '%',
      'x-control': 'slider',
    }),
    pages: {
      ...somePages,
      title: 'Pages to stamp',
      description:
        'Counted as in the file, such as 1-3,7,last,odd,even or 5- (from page 5 on). By default all of them.',
    },
  }),
  newPassword: text('New password', {
    description: 'The result only opens with it. Without one it opens without a password.',
    maxLength: 127,
    'x-secret': true,
  }),
  rebuild,
  password,
}

export type PdfToolOptions = OptionsOf<typeof pdfToolOptions>
