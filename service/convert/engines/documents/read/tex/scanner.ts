/** Text of TeX and a place in it; what is read is passed, so that each letter is looked at once. */
export class Scanner {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  /** What stands here, if it is like a pattern that is sticky. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text) ?? undefined
    this.at += found?.[0].length ?? 0
    return found
  }

  /** Text up to the given one, which is passed too; all that is left if it does not come. */
  until(end: string): string {
    const found = this.text.indexOf(end, this.at)
    const inner = this.text.slice(this.at, found < 0 ? undefined : found)
    this.at = found < 0 ? this.text.length : found + end.length
    return inner
  }

  /** The argument of a command: a group, without its braces, or else one command or sign. */
  argument(): string {
    this.take(/\s*/y)
    if (!this.take(/\{/y)) return this.take(/\\(?:[a-zA-Z@]+|[\s\S])|[^\\}]/y)?.[0] ?? ''
    const from = this.at
    const braces = /\\[\s\S]|[{}]/g
    braces.lastIndex = from
    let depth = 1
    for (const { index, 0: sign } of this.text.matchAll(braces)) {
      if (sign === '{') depth++
      else if (sign === '}' && --depth === 0) {
        this.at = index + 1
        return this.text.slice(from, index)
      }
    }
    this.at = this.text.length
    return this.text.slice(from)
  }

  /** The argument of a command in square brackets, if it has one. */
  option(): string | undefined {
    return this.take(
      /[ \t]*\n?[ \t]*\[((?:[^[\]{}\\]|\\[\s\S]|\{(?:[^{}\\]|\\[\s\S]|\{[^{}]{0,200}\}){0,500}\}){0,500})\]/y,
    )?.[1]
  }

  /** A formula up to the dollars that end it, or to the end of the paragraph. */
  formula(dollars: string): string {
    const from = this.at
    const signs = dollars === '$' ? /\\[\s\S]|[{}$]|\n\s*\n/g : /\\[\s\S]|\$\$|\n\s*\n/g
    signs.lastIndex = from
    let depth = 0
    for (const { index, 0: sign } of this.text.matchAll(signs)) {
      if (sign === '{') depth++
      else if (sign === '}') depth--
      else if (sign.startsWith('\n') || (sign === dollars && depth <= 0)) {
        this.at = index + sign.length
        return this.text.slice(from, index)
      }
    }
    this.at = this.text.length
    return this.text.slice(from)
  }
}
