/** Radiance pictures. */
import { readHdr } from '../../../engines/hdr/read.ts'
import { stillOf } from '../write/still-of.ts'

export const convert = stillOf(readHdr)
