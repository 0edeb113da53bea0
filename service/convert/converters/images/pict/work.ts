import { readPict } from '../../../engines/pictures/pict/index.ts'
import { imageConverter } from '../write/still-of.ts'

export const convert = imageConverter(readPict)
