import type { Preset } from '../../service/web/app/types.ts'
import { text, textIfAny } from '../messages/text.ts'

/** Display name of a preset: its own name, or the text for a built-in one in the page's language. */
export const presetName = ({ id, name, builtIn }: Pick<Preset, 'id' | 'name' | 'builtIn'>): string =>
  (builtIn && textIfAny(`presets.names.${id}`)) || name

/** What a built-in preset does, in a sentence. */
export const presetHint = ({ id, builtIn }: Pick<Preset, 'id' | 'builtIn'>): string =>
  (builtIn && textIfAny(`presets.hints.${id}`)) || text('presets.own')

/** The last used presets, one's own and the latest first, filled up with the first ones. */
export function lastPresets(presets: readonly Preset[], count = 3): Preset[] {
  const order = ({ builtIn, lastUsedAt }: Preset) => `${builtIn ? 0 : 1}${lastUsedAt ?? ''}`
  return presets.toSorted((a, b) => order(b).localeCompare(order(a))).slice(0, count)
}
