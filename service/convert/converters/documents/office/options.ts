/** Options of Word, Excel, PowerPoint and RTF files. */
import { choice, flag, group, integer, type OptionsOf, only } from '../../../catalogue/options.ts'
import { printedPages } from '../../page-options.ts'
import { accessible, type EncodingOption, pagePictureOptions, password, rebuild } from '../options.ts'

const images = group('Pictures', {
  compression: choice(
    'Compression',
    { jpeg: 'JPEG, smaller', lossless: 'Lossless, larger' },
    { default: 'jpeg' },
  ),
  quality: integer('Quality', {
    description: 'From 1, smallest, to 100, best.',
    default: 90,
    minimum: 1,
    maximum: 100,
    'x-when': { compression: ['jpeg'] },
  }),
  maxDpi: integer('Highest resolution', {
    description: 'Pictures with more pixels per inch are made smaller. By default none is.',
    minimum: 72,
    maximum: 1200,
    'x-unit': 'dpi',
  }),
})

const version = choice(
  'PDF/A version',
  { '2b': 'PDF/A-2b', '3b': 'PDF/A-3b' },
  { description: 'Both keep the look of the document for the long term.', default: '2b' },
)

interface Traits {
  kind: 'text' | 'sheet' | 'slides'
  /** Holds text alone, as CSV does: no comments, pictures or password. */
  isPlain?: boolean
}

/** Options of a document converted to PDF or PDF/A. */
const documentOptions =
  ({ kind, isPlain = false }: Traits) =>
  (target: string) => ({
    pages: printedPages,
    ...only({
      version: target === 'pdfa' && version,
      // A comment is an annotation; PDF/A requires a fixed appearance for it, which LibreOffice does not write.
      comments:
        target === 'pdf' &&
        !isPlain &&
        flag('Comments', { description: 'As notes that a reader of PDF files shows.', default: false }),
      notes:
        kind === 'slides' &&
        flag('Speaker notes', { description: 'As further pages, each with its slide.', default: false }),
      hiddenSlides: kind === 'slides' && flag('Hidden slides', { default: false }),
      singlePageSheets:
        kind === 'sheet' &&
        flag('Each sheet on one page', {
          description: 'As large as the sheet is, whatever the size of its paper.',
          default: false,
        }),
      landscape: target === 'pdf' && kind !== 'slides' && flag('Landscape', { default: false }),
      bookmarks:
        !(isPlain && kind === 'text') &&
        flag('Bookmarks', { description: 'From headings, slides or sheets.', default: true }),
      images: !isPlain && images,
      password: !isPlain && password,
    }),
    tagged: flag('Tagged', {
      description: 'With the structure that screen readers follow.',
      default: true,
    }),
    accessible,
    rebuild,
  })

/** Options of Word and RTF files. */
export const textOptions = documentOptions({ kind: 'text' })
export const sheetOptions = documentOptions({ kind: 'sheet' })
export const plainTextOptions = documentOptions({ kind: 'text', isPlain: true })
export const plainTableOptions = documentOptions({ kind: 'sheet', isPlain: true })
export const slideOptions = documentOptions({ kind: 'slides' })

/** Options of a document whose pages are converted to pictures. */
export const officePictureOptions = (target: string) => ({ ...pagePictureOptions(target), password })

/** Options of a document that is saved in another format; web pages and plain text have no password. */
export const saveOptions = { password }

export type SaveOptions = { password?: string | undefined; landscape?: boolean | undefined } & EncodingOption
export type OfficeOptions = OptionsOf<ReturnType<typeof textOptions>>
export type OfficePictureOptions = OptionsOf<ReturnType<typeof officePictureOptions>>
