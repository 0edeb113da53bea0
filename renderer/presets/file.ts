import type { PresetFile } from '../../service/web/app/types.ts'
import { text } from '../messages/text.ts'

/**
 * Reads a preset file chosen by a person; the service validates its content.
 * @throws Error with a sentence for people if it is not such a file
 */
export async function readPresetFile(file: Pick<File, 'text'>): Promise<PresetFile> {
  try {
    const found: unknown = JSON.parse(await file.text())
    if (isPresetFile(found)) return found
  } catch {
    // Reported below.
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
