/** Encrypts what must not be readable where it is stored or sent: authenticated, with a key that stays with the stores. */
export interface Secrets {
  /** A JSON value as encrypted text, of the letters of Base64. */
  seal(value: object): string
  /**
   * The value again.
   * @throws when the text was changed, or sealed with another key
   */
  open(sealed: string): Record<string, unknown>
}
