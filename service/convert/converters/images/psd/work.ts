import { readPsd } from '../../../engines/pictures/psd/index.ts'
import { stillOf } from '../write/still-of.ts'

export const convert = stillOf(readPsd)
