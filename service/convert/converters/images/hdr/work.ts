/** Radiance pictures. */
import { readHdr } from '../../../engines/pictures/hdr/read.ts'
import { imageConverter } from '../write/still-of.ts'

export const convert = imageConverter(readHdr)
