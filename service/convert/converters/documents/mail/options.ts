/** Options of e-mails as PDF. */
import { choice, type OptionsOf } from '../../../catalogue/options.ts'
import { type TypesetOptions, typesetOptions } from '../typeset/options.ts'

// The text of a mail has no encoding but that which it names.
const { encoding: _, ...pageOptions } = typesetOptions

export const mailOptions = {
  ...pageOptions,
  attachments: choice(
    'Attached files',
    { list: 'Their names only', embed: 'Attached to the PDF', append: 'As pages at the end' },
    { default: 'list', 'x-order': 1 },
  ),
}

export type MailOptions = TypesetOptions & Pick<OptionsOf<typeof mailOptions>, 'attachments'>
