/** Encrypts what must not be readable in storage or in transit: authenticated, with a key that stays with the stores. */
export interface Secrets {
  /** Encrypts a JSON value to text in the Base64 alphabet. */
  encrypt(value: object): string
  /**
   * Decrypts the value.
   * @throws if the text was changed, or sealed with another key
   */
  decrypt(sealed: string): Record<string, unknown>
}
