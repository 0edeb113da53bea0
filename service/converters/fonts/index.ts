import otf from './otf.ts'
import ttc from './ttc.ts'
import ttf from './ttf.ts'
import woff from './woff.ts'
import woff2 from './woff2.ts'

/** Declarations of this category, a file per source format. */
export default [...otf, ...ttc, ...ttf, ...woff, ...woff2]
