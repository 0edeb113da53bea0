import { choice, flag, number, type OptionsOf } from '../../../catalogue/options.ts'
import { accessible, type EncodingOption, encoding, rebuild } from '../options.ts'

/** Options of text set as PDF. */
export const typesetOptions = {
  theme: choice(
    'Theme',
    {
      modern: 'Modern, without serifs',
      classic: 'Classic, with serifs',
      academic: 'Academic, numbered headings',
    },
    { default: 'modern', 'x-order': 1 },
  ),
  toc: flag('Table of contents', { default: false }),
  pageSize: choice(
    'Page size',
    { a4: 'A4', letter: 'US Letter', legal: 'US Legal', a3: 'A3', a5: 'A5' },
    { default: 'a4', 'x-order': 2 },
  ),
  landscape: flag('Landscape', { default: false }),
  margin: number('Margins', { default: 22, minimum: 5, maximum: 60, 'x-unit': 'mm' }),
  fontSize: number('Text size', {
    default: 10.5,
    minimum: 6,
    maximum: 24,
    'x-unit': 'pt',
    'x-control': 'slider',
    'x-order': 3,
  }),
  pageNumbers: flag('Page numbers', { default: true }),
  pdfa: flag('PDF/A-2b', {
    default: false,
    description: 'For archives: the file holds everything that is needed to show it in many years.',
  }),
  accessible,
  encoding,
  rebuild,
}

export type TypesetOptions = Omit<OptionsOf<typeof typesetOptions>, 'encoding'> & EncodingOption
