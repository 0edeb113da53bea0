import { strToU8, zipSync } from 'fflate'

/** The archive of a conversion that makes two files, one of them in a folder. */
export const twoFiles = (stem: string): Buffer =>
  Buffer.from(zipSync({ [`${stem}-1.out`]: strToU8('first'), [`more/${stem}-2.out`]: strToU8('second') }))
