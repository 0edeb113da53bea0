import archives from './archives/index.ts'
import audio from './audio/index.ts'
import documents from './documents/index.ts'
import ebooks from './ebooks/index.ts'
import fonts from './fonts/index.ts'
import images from './images/index.ts'
import video from './video/index.ts'

/** All converters, in the order of the catalogue. Importing this loads no engine. */
export const converters = [...images, ...documents, ...audio, ...video, ...ebooks, ...fonts, ...archives]
