import { flag, type OptionsOf, only } from '../../../catalogue/options.ts'
import { password, pictures, picturesInside } from '../options.ts'

const picturesOf = (target: string) => (target === 'md' ? pictures : target === 'html' && picturesInside)

/** Options of a Word document converted to text, by target. */
export const wordTextOptions = (target: string) => ({
  ...only({
    pictures: picturesOf(target),
  }),
  comments: flag('Comments as notes', { default: false }),
  password,
})

/** Options of a web page converted to text, by target. */
export const webTextOptions = (target: string) => only({ pictures: picturesOf(target) })

export type WordTextOptions = Partial<OptionsOf<ReturnType<typeof wordTextOptions>>>
