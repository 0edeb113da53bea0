import type { PresetFile } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'

/**
 * Presets of a file that a person chose; what is in them is for the service to check.
 * @throws Error with a sentence for people when it is no such file
 */
export async function readPresetFile(file: Pick<File, 'text'>): Promise<PresetFile> {
  try {
    const found: unknown = JSON.parse(await file.text())
    if (isPresetFile(found)) return found
  } catch {
    // Told below.
  }
  throw new Error(text('presets.notPresets'))
}

const isPresetFile = (found: unknown): found is PresetFile =>
  typeof found === 'object' &&
  found !== null &&
  'refile' in found &&
  found.refile === 'presets' &&
  'presets' in found &&
  Array.isArray(found.presets)
