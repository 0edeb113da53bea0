import { type OptionsOf, only } from '../../../catalogue/options.ts'
import { password, pictures } from '../options.ts'

/** Options of a Word document that becomes text, by target. */
export const wordTextOptions = (target: string) => ({
  ...only({
    pictures: target === 'md' && pictures,
  }),
  password,
})

export type WordTextOptions = OptionsOf<ReturnType<typeof wordTextOptions>>
