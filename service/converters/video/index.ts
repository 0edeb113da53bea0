import avi from './avi.ts'
import mkv from './mkv.ts'
import mov from './mov.ts'
import mp4 from './mp4.ts'
import webm from './webm.ts'

/** Declarations of this category, a file per source format. */
export default [...avi, ...mkv, ...mov, ...mp4, ...webm]
