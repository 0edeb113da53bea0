/** Deeper parts are not marked: Typst limits how deep rules may nest. */
const MAX_DEPTH = 16

interface Opened {
  name: string
  close: string
}

/** Writes content whose parts open and close, and closes whatever the text leaves open, so that the code is always balanced. */
export class Nesting {
  #out = ''
  readonly #open: Opened[] = []

  write(code: string): void {
    this.#out += code
  }

  open(name: string, before: string, close = '];'): void {
    const isTooDeep = this.#open.length >= MAX_DEPTH
    this.#open.push({ name, close: isTooDeep ? '' : close })
    if (!isTooDeep) this.#out += before
  }

  /** Closes the innermost part with that name, and everything inside it; ignored if no such part is open. */
  close(name: string): void {
    const at = this.#open.findLastIndex(part => part.name === name)
    if (at < 0) return
    for (const part of this.#open.splice(at).reverse()) this.#out += part.close
  }

  isIn(name: string): boolean {
    return this.#open.some(part => part.name === name)
  }

  finish(): string {
    for (const part of this.#open.splice(0).reverse()) this.#out += part.close
    return this.#out
  }
}
