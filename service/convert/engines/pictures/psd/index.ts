import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import type { Pixels } from '../pixels.ts'
import { toPixels } from './colors.ts'
import { type PsdDocument, readDocument } from './document.ts'
import { readLayers } from './layers.ts'
import { readMerged } from './merged.ts'
import { rowBytes } from './rows.ts'

/**
 * Reads a Photoshop document (PSD or PSB) as one picture: its stored merged picture, in the document's own space if a profile can
 * describe it, or its layers as ImageMagick merges them.
 * @param warn called with what a merge had to leave out
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export async function readPsd(
  bytes: Uint8Array,
  warn: (warning: Message) => void = () => {},
): Promise<Pixels> {
  const document = readDocument(bytes)
  const { layers, transparent } = readLayers(document)
  const canMerge = layers > 0 && document.hasAllLayers
  if (document.resources.hasMergedPicture === false && layers > 0) {
    if (!canMerge) throw new JobFailure('jobs.corrupt_input', message('picture.nothing_left'))
    const pixels = await mergeLayers(bytes)
    warn(message('psd.merged_without_effects'))
    return pixels
  }
  try {
    return toPixels(document, readMerged(document, transparent))
  } catch (error) {
    if (!canMerge) throw error
    warn(message('picture.damaged'))
    return mergeLayers(withBlankPicture(bytes, document))
  }
}

async function mergeLayers(bytes: Uint8Array): Promise<Pixels> {
  const { mergeLayers } = await import('../magick/read.ts')
  return mergeLayers(bytes)
}

/** The document with a blank merged picture, for one that ends in its own. */
function withBlankPicture(bytes: Uint8Array, { header, layers }: PsdDocument): Uint8Array {
  const blank = 2 + header.channels * header.height * rowBytes(header)
  return Buffer.concat([bytes.subarray(0, layers.end), Buffer.alloc(blank)])
}
