/** What a file of some format is to become. */
export interface Choice {
  /** Request key of the target, such as `webp`. */
  target: string
  /** Options that differ from the defaults. */
  options: Record<string, unknown>
}

/** A preset that somebody made: a choice for each of some source formats. */
export interface PresetRecord {
  id: string
  name: string
  /** By source format. */
  choices: Record<string, Choice>
}

/** The choice made last for a pair of formats. */
export interface LastChoice extends Choice {
  source: string
  usedAt: number
}

/** What accounts choose again: presets of their own, when each was last used, and the last options of each pair. */
export interface PresetStore {
  /** An account's own presets, oldest first. */
  list(accountId: string): Promise<PresetRecord[]>
  add(accountId: string, presets: readonly PresetRecord[]): Promise<void>
  /** Changes a preset; false when the account has none of this id. */
  change(accountId: string, preset: PresetRecord): Promise<boolean>
  /** Deletes a preset; false when the account has none of this id. */
  remove(accountId: string, id: string): Promise<boolean>
  /** When presets were last used, by their ids; those that come with the service count too. */
  uses(accountId: string): Promise<Map<string, number>>
  touch(accountId: string, id: string, at: number): Promise<void>
  /** The last choice of each pair, latest first. */
  choices(accountId: string): Promise<LastChoice[]>
  /** Keeps choices in place of earlier ones of the same pairs. */
  remember(accountId: string, choices: readonly LastChoice[]): Promise<void>
}
