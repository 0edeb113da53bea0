import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import type { Pixels } from '../pixels.ts'
import { type Raster, toPixels } from './colors.ts'
import { readDocument } from './document.ts'
import { readLayers } from './layers.ts'
import { readMerged } from './merged.ts'

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
  if (document.resources.hasMergedPicture === false && layers > 0) {
    const { mergeLayers } = await import('../magick/read.ts')
    const pixels = await mergeLayers(bytes)
    warn(message('psd.merged_without_effects'))
    return pixels
  }
  const merged = readMerged(document, transparent)
  if (merged.complete) return toPixels(document, merged)
  warn(message('picture.damaged'))
  return toPixels(document, notEmpty(merged))
}

/** @throws JobFailure corrupt_input if nothing is left of a truncated document */
function notEmpty(raster: Raster): Raster {
  const { data, colors, alpha } = raster
  if (!alpha || data.some((value, index) => index % (colors + 1) === colors && value > 0)) return raster
  throw new JobFailure('jobs.corrupt_input', message('picture.nothing_left'))
}
