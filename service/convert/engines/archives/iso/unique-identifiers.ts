/** Gives every member of a folder a unique identifier. */
export class UniqueIdentifiers {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  /**
   * Takes the first unused form of an identifier.
   * @param numbered the identifier with a number in it, or without one for 1
   * @param key the part that has to be unique
   */
  take(numbered: (number: number) => string, key: (identifier: string) => string): string {
    const first = key(numbered(1))
    let number = this.#numbers.get(first) ?? 1
    let identifier = numbered(number)
    while (this.#taken.has(key(identifier))) identifier = numbered(++number)
    if (number > 1) this.#numbers.set(first, number)
    this.#taken.add(key(identifier))
    return identifier
  }
}
