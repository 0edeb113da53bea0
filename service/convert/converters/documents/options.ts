import { type EncodingLabel, nameEncodings } from '../../../shared/names/encodings.ts'
import { choice, flag, group, integer, type OptionsOf, only, text } from '../../catalogue/options.ts'
import { pages } from '../page-options.ts'

const encodings = Object.fromEntries(
  Object.entries(nameEncodings).map(([label, { name, languages }]) => [label, `${name} (${languages})`]),
) as Record<EncodingLabel, string>

/** The encoding of names in archives. */
export const nameEncoding = choice(
  'Encoding of names',
  { auto: 'Automatic', ...encodings },
  {
    description: 'For names that are not in Unicode, if they come out as the wrong letters.',
    default: 'auto',
  },
)

/** The encoding of files of text. */
export const encoding = choice(
  'Encoding of text',
  { auto: 'Automatic', utf8: 'UTF-8', ...encodings },
  { description: 'For text that is not in Unicode, if it comes out as the wrong letters.', default: 'auto' },
)

export type EncodingOption = Partial<OptionsOf<{ encoding: typeof encoding }>>

/** The password of a protected file. */
export const password = text('Password', {
  description: 'Opens a protected file.',
  maxLength: 256,
  'x-secret': true,
  'x-order': 5,
})

/** For files that one does not trust: the owner may turn it on for all conversions that have it (REFILE_REBUILD_DOCUMENTS). */
export const rebuild = flag('Rebuild from pixels', {
  description:
    'Every page becomes a picture with its text behind it. Nothing else is left of the file: no scripts, links, attachments, form fields or properties.',
  default: false,
})

/** Every PDF with tags says that it is accessible if it is; this says why it is not. */
export const accessible = flag('Check accessibility', {
  description:
    'Says what keeps the PDF from being accessible (PDF/UA-1), such as a picture without a description.',
  default: false,
})

/** Where the Markdown puts the pictures of a document. */
export const pictures = choice(
  'Pictures',
  { files: 'As files beside the text', inline: 'Within the text', none: 'Leave out' },
  {
    description:
      'Files come with the text in a ZIP. Within the text they are data URIs, which not every reader shows.',
    default: 'files',
  },
)

/** The same for a web page, which every browser shows with pictures inside. */
export const picturesInside = { ...pictures, default: 'inline' as const }

export const languages = text('Languages', {
  description:
    'Short names, such as eng or eng+deu. English comes with Refile; the settings list the others, to be downloaded, under Conversions.',
  default: 'eng',
  pattern: '^[A-Za-z_]{3,20}(\\+[A-Za-z_]{3,20}){0,4}$',
  maxLength: 100,
  'x-example': 'eng+deu',
})

/** Options of a PDF. */
export const pdfOptions = {
  ocr: group(
    'Text recognition',
    {
      enabled: flag('Recognise the text of scanned pages', {
        default: false,
        'x-implied': { languages: true },
      }),
      languages: { ...languages, 'x-when': { enabled: [true] } },
    },
    { 'x-order': 1 },
  ),
}

/** Options of a picture whose text is read. */
export const pictureTextOptions = { ocr: group('Text recognition', { languages }, { 'x-order': 1 }) }

export type PictureTextOptions = OptionsOf<typeof pictureTextOptions>

/** Options of a picture converted to PDF/A. */
export const picturePdfAOptions = {
  ...pdfOptions,
  conformance: choice('Standard', { '2b': 'PDF/A-2b', '3b': 'PDF/A-3b' }, { default: '2b' }),
}

/** Options of a PDF converted to PDF/A. */
export const pdfAOptions = { ...picturePdfAOptions, accessible, rebuild, password }

export type PdfAOptions = OptionsOf<typeof pdfAOptions>

/** Options of a PDF converted to a text document, by target. */
export const pdfTextOptions = (target: string) => ({
  ...pdfOptions,
  ...only({
    pictures: target === 'md' ? pictures : target === 'html' && picturesInside,
    comments: flag('Comments as notes', { default: true }),
  }),
  password,
})

export type PdfTextOptions = OptionsOf<ReturnType<typeof pdfTextOptions>>

/** Options of pages converted to pictures, by target. */
export const pagePictureOptions = (target: string) => ({
  dpi: integer('Resolution', {
    description: 'Pixels per inch of paper. Pages too large for it are drawn with less.',
    default: 150,
    minimum: 8,
    maximum: 1200,
    'x-unit': 'dpi',
    'x-order': 1,
  }),
  pages,
  grey: flag('Shades of grey', { default: false }),
  ...only({
    quality:
      (target === 'jpg' || target === 'webp') &&
      integer('Quality', {
        description: 'From 1, smallest, to 100, best.',
        default: 90,
        minimum: 1,
        maximum: 100,
        'x-control': 'slider',
        'x-affects-size': true,
        'x-order': 2,
      }),
    transparent:
      (target === 'png' || target === 'webp') && flag('Transparent background', { default: false }),
  }),
})

/** Options of a PDF whose pages are converted to pictures. */
export const pdfPictureOptions = (target: string) => ({ ...pagePictureOptions(target), password })

/** Options of a PDF whose pages become SVG or slides. */
export const pdfSlideOptions = { pages, password }

export type PdfSlideOptions = OptionsOf<typeof pdfSlideOptions>
export type PagePictureOptions = OptionsOf<ReturnType<typeof pagePictureOptions>>
export type PdfPictureOptions = OptionsOf<ReturnType<typeof pdfPictureOptions>>
