import { flag, type OptionsOf, only } from '../../../catalogue/options.ts'
import { password, pictures } from '../options.ts'

/** Options of a Word document converted to text, by target. */
export const wordTextOptions = (target: string) => ({
  ...only({
    pictures: target === 'md' && pictures,
  }),
  comments: flag('Comments as notes', { default: false }),
  password,
})

export type WordTextOptions = OptionsOf<ReturnType<typeof wordTextOptions>>
