import { readPsd } from '../../../engines/pictures/psd/index.ts'
import { imageConverter } from '../write/still-of.ts'

export const convert = imageConverter(readPsd)
