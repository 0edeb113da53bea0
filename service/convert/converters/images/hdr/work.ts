/** Radiance pictures. */
import { readHdr } from '../../../engines/pictures/hdr/read.ts'
import { stillOf } from '../write/still-of.ts'

export const convert = stillOf(readHdr)
