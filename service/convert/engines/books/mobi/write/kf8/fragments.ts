/** A piece of a document's body, with the element in which it begins. */
export interface Fragment {
  /** Byte range in the body. */
  from: number
  to: number
  /** `aid` of the innermost element that is open at its start. */
  within: string
}

/** Maximum size of kindlegen's fragments in bytes, if there is a place to split. */
const FRAGMENT_BYTES = 8192

interface Border {
  at: number
  within: string
}

/** Decides where a body is split, given the possible places in order. */
export class FragmentCutter {
  readonly fragments: Fragment[] = []
  #from: Border
  /** Latest possible places since the last split: between blocks, and between any elements. */
  #block: Border | undefined
  #any: Border | undefined

  constructor(within: string) {
    this.#from = { at: 0, within }
  }

  /** Reports a place between elements, `at` bytes into the body. */
  border(at: number, within: string, isBlock: boolean): void {
    while (at - this.#from.at > FRAGMENT_BYTES) {
      const cut = this.#block ?? this.#any
      if (!cut) break
      this.#cut(cut)
    }
    if (at === this.#from.at) return
    this.#any = { at, within }
    if (isBlock) this.#block = this.#any
  }

  /** Ends the body. There is at least one fragment, which may be empty. */
  end(at: number, within: string): void {
    this.border(at, within, false)
    if (at > this.#from.at || this.fragments.length === 0) {
      this.fragments.push({ from: this.#from.at, to: at, within: this.#from.within })
    }
  }

  #cut(border: Border): void {
    this.fragments.push({ from: this.#from.at, to: border.at, within: this.#from.within })
    this.#from = border
    if (this.#block && this.#block.at <= border.at) this.#block = undefined
    if (this.#any && this.#any.at <= border.at) this.#any = undefined
  }
}
