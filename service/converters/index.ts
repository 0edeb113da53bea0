import archives from './archives/index.ts'
import audio from './audio/index.ts'
import documents from './documents/index.ts'
import ebooks from './ebooks/index.ts'
import fonts from './fonts/index.ts'
import images from './images/index.ts'
import video from './video/index.ts'

/** Every converter there is, in the order the catalogue shows them. Importing this loads no engine. */
export const converters = [...images, ...documents, ...audio, ...video, ...ebooks, ...fonts, ...archives]

/** What shows files and quick conversions, loaded in a worker as the works of the converters are. */
export const previews = {
  thumbnail: () => import('./preview/thumbnail.ts'),
  comparison: () => import('./preview/comparison.ts'),
}
