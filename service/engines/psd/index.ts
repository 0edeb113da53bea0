import { JobFailure } from '../../errors.ts'
import { type Message, message } from '../../messages/message.ts'
import type { Pixels } from '../pixels.ts'
import type { EngineReport } from '../report.ts'
import { toPixels } from './colors.ts'
import { readDocument } from './document.ts'
import { readLayers } from './layers.ts'
import { hasUndrawn, mergeLayers } from './merge.ts'
import { readMerged } from './merged.ts'

/**
 * Reads a Photoshop document (PSD or PSB) as one picture: the merged one it carries, or its layers merged here.
 * Colours stay in the document's own space wherever a profile can describe it.
 * @param warn told of what a merge had to leave out
 * @throws JobFailure corrupt_input, unsupported_input, too_large
 */
export function readPsd(bytes: Uint8Array, warn: (warning: Message) => void = () => {}): Pixels {
  const document = readDocument(bytes)
  const { layers, transparent } = readLayers(document)
  const drawn = layers.filter(layer => !layer.divider && layer.channels.some(channel => channel.id >= 0))
  if (document.resources.hasMergedPicture !== false || layers.length === 0) {
    return toPixels(document, readMerged(document, transparent))
  }
  if (drawn.every(layer => layer.right <= layer.left || layer.bottom <= layer.top)) {
    throw new JobFailure('jobs.unsupported_input', message('psd.nothing_drawn'))
  }
  if (hasUndrawn(layers)) {
    warn(message('psd.merged_without_effects'))
  }
  return toPixels(document, mergeLayers(document, layers))
}

export async function report(): Promise<EngineReport> {
  return { name: 'Photoshop reader', version: null, available: true, hint: null }
}
