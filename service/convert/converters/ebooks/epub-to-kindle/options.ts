import { flag, type OptionsOf, only } from '../../../catalogue/options.ts'

/** Options of a book that becomes one for Kindle. */
export const kindleOptions = (target: string) =>
  only({
    kf8:
      target === 'mobi' &&
      flag('For newer readers too', {
        description:
          'Holds the book a second time, as KF8 with its styles and fonts, in the same file: newer readers show that, old ones the plain version. Off makes a file of about half the size, without either.',
        default: true,
      }),
  })

export type KindleOptions = OptionsOf<ReturnType<typeof kindleOptions>>
