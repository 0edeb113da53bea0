import { choice, flag, type OptionsOf } from '../../../catalogue/options.ts'

/** Options of a book that becomes a Word document. */
export const bookDocumentOptions = {
  page: choice('Page', { a4: 'A4', a5: 'A5', letter: 'Letter' }, { default: 'a4' }),
  contents: flag('Table of contents', {
    description: 'At the beginning, where the book shows none itself.',
    default: true,
  }),
}

export type BookDocumentOptions = OptionsOf<typeof bookDocumentOptions>
