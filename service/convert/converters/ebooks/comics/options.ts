import { flag, type OptionsOf, only } from '../../../catalogue/options.ts'
import { pagePictureOptions, password } from '../../documents/options.ts'

/** Options of a comic, by target. */
export const comicOptions = (target: string) =>
  only({
    rightToLeft:
      target === 'epub' &&
      flag('From right to left', {
        description: 'As manga are read. Comics that say so are so anyway.',
        default: false,
      }),
  })

export type ComicOptions = OptionsOf<ReturnType<typeof comicOptions>>

/** Options of a PDF whose pages become those of a comic. */
export const pdfComicOptions = { ...pagePictureOptions('jpg'), password }

export type PdfComicOptions = OptionsOf<typeof pdfComicOptions>
