import { flag, type OptionsOf, only } from '../../../catalogue/options.ts'
import { writers } from '../../../engines/documents/index.ts'
import { encoding, password, pictures, picturesInside } from '../options.ts'

/** Where pictures go, for targets that leave it open. */
export const pictureOptions = (target: string) => {
  const place = Object.entries(writers).find(([key]) => key === target)?.[1].pictures
  return only({ pictures: place === 'beside' ? pictures : place === 'inside' && picturesInside })
}

/** Options of a Word document converted to text, by target. */
export const wordTextOptions = (target: string) => ({
  ...pictureOptions(target),
  comments: flag('Comments as notes', { default: false }),
  password,
})

/** Options of a presentation converted to text, by target. */
export const slideTextOptions = (target: string) => ({
  ...pictureOptions(target),
  notes: flag('Speaker notes', { description: 'As quotes below the slides.', default: false }),
  hiddenSlides: flag('Hidden slides', { default: false }),
  password,
})

/** Options of a web page converted to text, by target. */
export const webTextOptions = (target: string) => ({ ...pictureOptions(target), encoding })

export type WordTextOptions = Partial<OptionsOf<ReturnType<typeof wordTextOptions>>>
export type SlideTextOptions = Partial<OptionsOf<ReturnType<typeof slideTextOptions>>>
