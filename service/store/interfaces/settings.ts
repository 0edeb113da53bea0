/** The choices of an account in the app, by name. */
export interface SettingsStore {
  /** All settings, by name. */
  all(accountId: string): Promise<Map<string, unknown>>
  /** A setting; undefined if it was never set. */
  get(accountId: string, name: string): Promise<unknown>
  /** Sets a JSON value, replacing the previous one. */
  put(accountId: string, name: string, value: unknown): Promise<void>
}
