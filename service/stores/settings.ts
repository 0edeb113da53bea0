/** What an account has chosen in the app, by name; what a value may be is for whoever reads it to check. */
export interface SettingsStore {
  /** All that was set, by name. */
  all(accountId: string): Promise<Map<string, unknown>>
  /** What was set under a name; undefined when nothing was. */
  get(accountId: string, name: string): Promise<unknown>
  /** Sets a value that JSON can hold, in place of the one before. */
  put(accountId: string, name: string, value: unknown): Promise<void>
}
