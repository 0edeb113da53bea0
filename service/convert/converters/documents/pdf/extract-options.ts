/** Options of what is taken out of a PDF. */
import { flag, type OptionsOf } from '../../../catalogue/options.ts'
import { pages } from '../../page-options.ts'
import { password } from '../options.ts'

export const extractOptions = {
  pictures: flag('Pictures', { default: true, 'x-order': 1 }),
  attachments: flag('Attached files', { default: true, 'x-order': 2 }),
  pages,
  password,
}

export type ExtractOptions = OptionsOf<typeof extractOptions>
