import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import type { Font } from './font.ts'
import { readCollection, readSfnt } from './sfnt.ts'
import { readWoff } from './woff.ts'
import { readWoff2 } from './woff2.ts'

/**
 * Reads a font file by its content: TrueType, OpenType, a collection, WOFF or WOFF2.
 * @returns all faces, in the order of the file
 * @throws JobFailure corrupt_input, too_large
 */
export async function readFonts(file: Uint8Array): Promise<Font[]> {
  if (file.length < 12) throw new JobFailure('jobs.corrupt_input', message('font.not_a_font'))
  switch (String.fromCharCode(...file.subarray(0, 4))) {
    case 'ttcf':
      return readCollection(file)
    case 'wOFF':
      return [readWoff(file)]
    case 'wOF2':
      return readWoff2(file)
    default:
      return [readSfnt(file)]
  }
}
