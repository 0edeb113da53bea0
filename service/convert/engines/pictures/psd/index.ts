import { JobFailure } from '../../../../shared/errors.ts'
import { type Message, message } from '../../../../shared/messages/message.ts'
import type { Pixels } from '../pixels.ts'
import { type Raster, toPixels } from './colors.ts'
import { readDocument } from './document.ts'
import { readLayers } from './layers.ts'
import { canMerge, hasUndrawn, mergeLayers } from './merge.ts'
import { readMerged } from './merged.ts'

/**
 * Reads a Photoshop document (PSD or PSB) as one picture: its stored merged picture, or its layers merged here. Colours
 * stay in the document's own space if a profile can describe it.
 * @param warn called with what a merge had to leave out
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function readPsd(bytes: Uint8Array, warn: (warning: Message) => void = () => {}): Pixels {
  const document = readDocument(bytes)
  const info = readLayers(document)
  const { layers, transparent } = info
  const drawn = layers.filter(layer => !layer.divider && layer.channels.some(channel => channel.id >= 0))
  const hasPixels = drawn.some(layer => layer.right > layer.left && layer.bottom > layer.top)
  const hasLayers = hasPixels && canMerge(document.header)
  if (document.resources.hasMergedPicture !== false || layers.length === 0) {
    const merged = attempt(() => readMerged(document, transparent))
    if (!(merged instanceof JobFailure) && merged.complete) return toPixels(document, merged)
    // Layers come before the merged picture, so they may be there when it is not.
    const useLayers = hasLayers && info.complete && !hasUndrawn(layers)
    const raster =
      useLayers || (merged instanceof JobFailure && hasLayers) ? mergeLayers(document.header, layers) : merged
    if (raster instanceof JobFailure) throw raster
    warn(message('picture.damaged'))
    return toPixels(document, notEmpty(raster))
  }
  if (!hasPixels) throw new JobFailure('jobs.unsupported_input', message('psd.nothing_drawn'))
  if (!hasLayers) throw new JobFailure('jobs.unsupported_input', message('psd.unmerged_mode'))
  if (!info.complete) warn(message('picture.damaged'))
  if (hasUndrawn(layers)) {
    warn(message('psd.merged_without_effects'))
  }
  const raster = mergeLayers(document.header, layers)
  return toPixels(document, info.complete ? raster : notEmpty(raster))
}

/** @throws JobFailure corrupt_input if nothing is left of a truncated document */
function notEmpty(raster: Raster): Raster {
  const { data, colors, alpha } = raster
  if (!alpha || data.some((value, index) => index % (colors + 1) === colors && value > 0)) return raster
  throw new JobFailure('jobs.corrupt_input', message('picture.nothing_left'))
}

/** The result of `read`, or its failure. */
function attempt<T>(read: () => T): T | JobFailure {
  try {
    return read()
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'jobs.corrupt_input') return error
    throw error
  }
}
