import { readPict } from '../../../engines/pictures/pict/index.ts'
import { stillOf } from '../write/still-of.ts'

export const convert = stillOf(readPict)
