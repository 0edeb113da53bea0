import { anyObject, constant, list, map, object, optional, type Static, string } from '../../http/schema.ts'

/** The choice for files of a format: the target's request key, and options that differ from the defaults. */
const PresetChoice = object({ target: string(), options: optional(anyObject()) })

export type NewPreset = Static<typeof NewPreset>
export const NewPreset = object({
  name: string({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  /** By source format. */
  choices: map(PresetChoice),
})

/** Exported and imported presets. */
export type PresetFile = Static<typeof PresetFile>
export const PresetFile = object({
  refile: constant('presets'),
  version: constant(1),
  presets: list(NewPreset, { maxItems: 100 }),
})

/** A reusable choice for each of several source formats. */
export interface Preset {
  /** For a built-in preset, its name: `smaller`, `web`, `email`, `print`, `archive`, `transcript` or `gif`. */
  id: string
  name: string
  builtIn: boolean
  /** By source format. */
  choices: Record<string, { target: string; options: Record<string, unknown> }>
  lastUsedAt: string | null
}

export type ChosenPair = Static<typeof ChosenPair>
export const ChosenPair = object({ source: string(), target: string(), options: anyObject() })

export interface LastChoice extends ChosenPair {
  usedAt: string
}
