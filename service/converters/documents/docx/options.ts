import { choice, type OptionsOf, only } from '../../../catalogue/options.ts'
import { password } from '../options.ts'

/** Options of a Word document that becomes text, by target. */
export const wordTextOptions = (target: string) => ({
  ...only({
    pictures:
      target === 'md' &&
      choice(
        'Pictures',
        { files: 'As files beside the text', inline: 'Within the text', none: 'Leave out' },
        {
          description:
            'Files come with the text in a ZIP. Within the text they are data URIs, which not every reader shows.',
          default: 'files',
        },
      ),
  }),
  password,
})

export type WordTextOptions = OptionsOf<ReturnType<typeof wordTextOptions>>
