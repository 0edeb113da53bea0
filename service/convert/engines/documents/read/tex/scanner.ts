/** What is longer is no option, but text in brackets. */
const LONGEST_OPTION = 10_000

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
    return this.#upTo(/\\[\s\S]|[{}]/g, (_, depth) => depth < 0) ?? this.#rest()
  }

  /** The argument of a command in square brackets, if it has one. */
  option(): string | undefined {
    const before = this.at
    if (!this.take(/[ \t]*\n?[ \t]*\[/y)) return undefined
    const inner = this.#upTo(
      /\\[\s\S]|[{}[\]]/g,
      (sign, depth, length) =>
        depth < 0 || length > LONGEST_OPTION || (depth === 0 && (sign === '[' || sign === ']')),
    )
    if (inner !== undefined && this.text[this.at - 1] === ']') return inner
    this.at = before
    return undefined
  }

  /** A formula up to the dollars that end it, or to the end of the paragraph. */
  formula(dollars: string): string {
    const signs = dollars === '$' ? /\\[\s\S]|[{}$]|\n\s*\n/g : /\\[\s\S]|\$\$|\n\s*\n/g
    const isEnd = (sign: string, depth: number) => sign.startsWith('\n') || (sign === dollars && depth <= 0)
    return this.#upTo(signs, isEnd) ?? this.#rest()
  }

  #rest(): string {
    const from = this.at
    this.at = this.text.length
    return this.text.slice(from)
  }

  /**
   * Text up to a sign that ends it, which is passed too; undefined if none does.
   * @param signs what may end it, and the braces around what cannot
   * @param ends whether a sign does, by the number of braces that are open then and the length of the text before
   */
  #upTo(signs: RegExp, ends: (sign: string, depth: number, length: number) => boolean): string | undefined {
    const from = this.at
    signs.lastIndex = from
    let depth = 0
    for (const { index, 0: sign } of this.text.matchAll(signs)) {
      if (sign === '{') depth++
      else if (sign === '}') depth--
      if (!ends(sign, depth, index - from)) continue
      this.at = index + sign.length
      return this.text.slice(from, index)
    }
    return undefined
  }
}
