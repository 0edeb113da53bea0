/** The target and options for a format. */
export interface Choice {
  /** Request key of the target, such as `webp`. */
  target: string
  /** Options that differ from the defaults. */
  options: Record<string, unknown>
}

/** A preset of a user: a choice for each of several source formats. */
export interface PresetRecord {
  id: string
  name: string
  /** By source format. */
  choices: Record<string, Choice>
}

/** The last choice for a pair of formats. */
export interface LastChoice extends Choice {
  source: string
  usedAt: number
}

/**
 * Choices that accounts reuse: their own presets, when each preset was last used, and the last options of each pair.
 */
export interface PresetStore {
  /** An account's own presets, oldest first. */
  list(accountId: string): Promise<PresetRecord[]>
  add(accountId: string, presets: readonly PresetRecord[]): Promise<void>
  /** Changes a preset; false if the account has no preset with this id. */
  change(accountId: string, preset: PresetRecord): Promise<boolean>
  /** Deletes a preset; false if the account has no preset with this id. */
  remove(accountId: string, id: string): Promise<boolean>
  /** When presets were last used, by id, including the built-in ones. */
  uses(accountId: string): Promise<Map<string, number>>
  touch(accountId: string, id: string, at: number): Promise<void>
  /** The last choice of each pair, latest first. */
  choices(accountId: string): Promise<LastChoice[]>
  /** Stores choices, replacing earlier ones for the same pairs. */
  remember(accountId: string, choices: readonly LastChoice[]): Promise<void>
}
